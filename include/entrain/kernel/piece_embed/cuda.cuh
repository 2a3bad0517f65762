// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/kernel/piece_embed/contract.hpp"

namespace entrain::kernel {
namespace detail {

template <bool Typed, class A, class W, int C> struct PieceEmbedFew {
  const W* word;
  const std::int32_t* ids;
  const W* position;
  const std::int32_t* at;
  const W* type;
  A* y;
  __device__ void operator()(int row, int channel) const {
    constexpr int n = device::few_of<A, C>;
    using Few = device::Few<W, n>;
    const Few what = Few::load(word + static_cast<std::int64_t>(ids[row]) * C + channel);
    const Few where = Few::load(position + static_cast<std::int64_t>(at[row]) * C + channel);
    Few which = Few::all(W(0.f));
    if constexpr (Typed) which = Few::load(type + channel);
    device::Few<A, n> sum;
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i)
      sum.of[i] = static_cast<A>(static_cast<float>(what.of[i]) + static_cast<float>(where.of[i]) +
                                 static_cast<float>(which.of[i]));
    sum.store(y + static_cast<std::int64_t>(row) * C + channel);
  }
};

}  // namespace detail

template <class Target> struct PieceEmbed<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <bool Typed, class A, class W, int C>
  static void forward(const D& dev, const W* word, const std::int32_t* ids, const W* position, const std::int32_t* at,
                      const W* type, Rows<A, C> y) {
    device::each<device::few_of<A, C>, C>(dev.stream(), y.n,
                                          detail::PieceEmbedFew<Typed, A, W, C>{word, ids, position, at, type, y.data});
  }
};

}  // namespace entrain::kernel
