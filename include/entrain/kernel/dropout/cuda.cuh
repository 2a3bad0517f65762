// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/device/ptx.cuh"
#include "entrain/kernel/dropout/contract.hpp"

namespace entrain::kernel {
namespace detail {

/// Factors of numbers: 0 where their sixteen bits are below p * 65536, else 1 / (1 - p). If all of them are below,
/// scale is not used.
struct DropoutFactors {
  std::uint32_t limit;
  float scale;

  __device__ explicit DropoutFactors(const Counters& counters)
      : limit(static_cast<std::uint32_t>(counters.dropout * 65536.0f + 0.5f)),
        scale(device::inverse(1.0f - static_cast<float>(limit) / 65536.0f)) {}
  /// The factor of channel i; the word holds the bits of two neighbouring channels, those of the even one in the low
  /// half.
  __device__ float of(std::uint32_t word, int i) const {
    return (word >> (i % 2 * 16) & 0xFFFFu) < limit ? 0.0f : scale;
  }
  /// The factor of channel i of a block of eight: word i / 2 holds its bits. Selected by comparison: if the compiler
  /// does not know i, an index would move the words into memory.
  __device__ float operator()(const RandomWords<4>& words, int i) const {
    const std::uint32_t front = i % 4 < 2 ? words[0] : words[1], back = i % 4 < 2 ? words[2] : words[3];
    return of(i < 4 ? front : back, i);
  }
};

/// Eight channels, whose bits come from one draw; fewer at the end of a row.
template <class A, int C> struct DropoutBlock {
  const A* x;
  A* y;
  const Counters* counters;
  RngStream rng_stream;
  Write how;
  __device__ void operator()(int row, int block) const {
    const DropoutFactors factor(*counters);
    const auto words = dropout_words(*counters, rng_stream, row, block);
    constexpr int n = device::few_of<A, C>;
    using Few = device::Few<A, n>;
    const std::int64_t at = static_cast<std::int64_t>(row) * C;
    ENTRAIN_UNROLL
    for (int first = 0; first < 8; first += n) {
      const int channel = block * 8 + first;
      if (C % 8 != 0 && channel >= C) break;
      const Few from = Few::load(x + at + channel);
      Few to = Few::all(A(0.f));
      if (how == Write::add) to = Few::load(y + at + channel);
      ENTRAIN_UNROLL
      for (int i = 0; i < n; ++i)
        to.of[i] =
            static_cast<A>(static_cast<float>(to.of[i]) + static_cast<float>(from.of[i]) * factor(words, first + i));
      to.store(y + at + channel);
    }
  }
};

}  // namespace detail

template <class Target> struct Dropout<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <class A, int C> static void run(const Step<D>& at, Rows<const A, C> x, Rows<A, C> y, Write how) {
    device::each<1, (C + 7) / 8>(at.dev.stream(), x.n,
                                 detail::DropoutBlock<A, C>{x.data, y.data, at.counters, at.rng_stream, how});
  }
};

}  // namespace entrain::kernel
