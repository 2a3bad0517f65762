// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/kernel/maxout/contract.hpp"

namespace entrain::kernel {
namespace detail {

template <int K, class A, class W, int C> struct MaxoutFew {
  const A* pre;
  const W* bias;
  A* y;
  std::uint8_t* which;
  __device__ void operator()(int row, int channel) const {
    constexpr int n = device::few_of<A, C>;
    using Few = device::Few<A, n>;
    using Won = device::Few<std::uint8_t, n>;
    float best[n];  // mutant 179
    Won won = Won::all(0);
    ENTRAIN_UNROLL
    for (int p = 0; p < K; ++p) {
      const Few part = Few::load(pre + (static_cast<std::int64_t>(row) * K + p) * C + channel);
      ENTRAIN_UNROLL
      for (int i = 0; i < n; ++i) {
        const float value = static_cast<float>(part.of[i]) + static_cast<float>(bias[p * C + channel + i]);
        if (p > 0 && !(value > best[i])) continue;
        best[i] = value;
        won.of[i] = static_cast<std::uint8_t>(p);
      }
    }
    Few out;
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i) out.of[i] = static_cast<A>(best[i]);
    const std::int64_t at = static_cast<std::int64_t>(row) * C + channel;
    out.store(y + at);
    won.store(which + at);
  }
};

template <int K, class A, int C> struct MaxoutBackFew {
  const A* dy;
  const std::uint8_t* which;
  A* dpre;
  __device__ void operator()(int row, int channel) const {
    constexpr int n = device::few_of<A, C>;
    const std::int64_t at = static_cast<std::int64_t>(row) * C + channel;
    const auto d = device::Few<A, n>::load(dy + at);
    const auto won = device::Few<std::uint8_t, n>::load(which + at);
    ENTRAIN_UNROLL
    for (int p = 0; p < K; ++p) {
      device::Few<A, n> out;
      ENTRAIN_UNROLL
      for (int i = 0; i < n; ++i) out.of[i] = won.of[i] == p ? d.of[i] : A(0.f);
      out.store(dpre + (static_cast<std::int64_t>(row) * K + p) * C + channel);
    }
  }
};

}  // namespace detail

template <class Target> struct Maxout<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <int K, class A, class W, int C> static void forward(const D& dev, Rows<const A, K * C> pre, const W* bias,
                                                                Rows<A, C> y, Rows<std::uint8_t, C> which) {
    device::each<device::few_of<A, C>, C>(dev.stream(), y.n,
                                          detail::MaxoutFew<K, A, W, C>{pre.data, bias, y.data, which.data});
  }
  template <int K, class A, int C>
  static void backward(const D& dev, Rows<const A, C> dy, Rows<const std::uint8_t, C> which, Rows<A, K * C> dpre) {
    device::each<device::few_of<A, C>, C>(dev.stream(), dy.n,
                                          detail::MaxoutBackFew<K, A, C>{dy.data, which.data, dpre.data});
  }
};

}  // namespace entrain::kernel
