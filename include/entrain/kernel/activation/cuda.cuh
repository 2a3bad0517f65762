// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/kernel/activation/contract.hpp"
#include "entrain/kernel/map/cuda.cuh"

namespace entrain::kernel {
namespace detail {

/// y = act(x + b), and x becomes the slopes. Without Slopes x is only read.
template <class Act, bool Slopes, class A, class W, int C> struct BiasActFew {
  const W* b;
  A* x;
  A* y;
  __device__ void operator()(int row, int channel) const {
    constexpr int n = device::few_of<A, C>;
    using Few = device::Few<A, n>;
    const std::int64_t at = static_cast<std::int64_t>(row) * C + channel;
    const Few before = Few::load(x + at);
    const auto more = device::Few<W, n>::load(b + channel);
    Few value, slope;
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i) {
      const auto point = Act::at(static_cast<float>(before.of[i]) + static_cast<float>(more.of[i]));
      value.of[i] = static_cast<A>(point.value);
      slope.of[i] = static_cast<A>(point.slope);
    }
    value.store(y + at);
    if constexpr (Slopes) slope.store(x + at);
  }
};

}  // namespace detail

template <class Target> struct Activation<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <class Act, class A, class W, int C>
  static void forward(const D& dev, const W* b, Rows<A, C> x, Rows<A, C> y) {
    device::each<device::few_of<A, C>, C>(dev.stream(), x.n, detail::BiasActFew<Act, true, A, W, C>{b, x.data, y.data});
  }
  /// y = act(y + b)
  template <class Act, class A, class W, int C> static void forward(const D& dev, const W* b, Rows<A, C> y) {
    device::each<device::few_of<A, C>, C>(dev.stream(), y.n,
                                          detail::BiasActFew<Act, false, A, W, C>{b, y.data, y.data});
  }
  template <class A, int C>
  static void backward(const D& dev, Rows<const A, C> dy, Rows<const A, C> slope, Rows<A, C> dx) {
    device::each<device::few_of<A, C>, C>(dev.stream(), dy.n,
                                          detail::JoinFew<detail::Times, A, C>{dy.data, slope.data, dx.data});
  }
};

}  // namespace entrain::kernel
