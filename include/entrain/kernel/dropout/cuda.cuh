// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/kernel/dropout/contract.hpp"

namespace entrain::kernel {
namespace detail {

/// What numbers are multiplied by: 0 where their sixteen bits are below p * 65536, else 1 / (1 - p).
struct DropoutFactors {
  std::uint32_t limit;
  float scale;

  __device__ explicit DropoutFactors(const Counters& counters)
      : limit(static_cast<std::uint32_t>(counters.dropout * 65536.0f + 0.5f)),
        scale(1.0f / (1.0f - static_cast<float>(limit) / 65536.0f)) {}
  /// Of channel i of a block of eight: word i / 2 holds its bits, low half first.
  __device__ float operator()(const RandomWords<4>& words, int i) const {
    const std::uint32_t bits = words[i / 2] >> (i % 2 * 16) & 0xFFFFu;
    return bits < limit ? 0.0f : scale;
  }
};

/// Eight channels, for which one draw gives the bits; fewer at the end of a row.
template <class A, int C> struct DropoutBlock {
  const A* x;
  A* y;
  const Counters* counters;
  Site site;
  Write how;
  __device__ void operator()(int row, int block) const {
    const DropoutFactors factor(*counters);
    const auto words = dropout_words(*counters, site, row, block);
    const std::int64_t at = static_cast<std::int64_t>(row) * C + block * 8;
    ENTRAIN_UNROLL
    for (int i = 0; i < 8; ++i) {
      if (C % 8 != 0 && block * 8 + i >= C) break;
      const float value = static_cast<float>(x[at + i]) * factor(words, i);
      y[at + i] = static_cast<A>(how == Write::add ? static_cast<float>(y[at + i]) + value : value);
    }
  }
};

}  // namespace detail

template <class Target> struct Dropout<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <class A, int C> static void run(const Step<D>& at, Rows<const A, C> x, Rows<A, C> y, Write how) {
    device::each<1, (C + 7) / 8>(at.dev.stream(), x.n,
                                 detail::DropoutBlock<A, C>{x.data, y.data, at.counters, at.site, how});
  }
};

}  // namespace entrain::kernel
