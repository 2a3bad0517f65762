// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/kernel/activation/contract.hpp"
#include "entrain/kernel/map/cuda.cuh"

namespace entrain::kernel {
namespace detail {

enum class Keep { nothing, slope, input };

/// y = act(x + b); kept: the slopes there, or x + b. It and y may each be x.
template <class Act, Keep K, class A, class W, int C> struct BiasActFew {
  const W* b;
  const A* x;
  A* kept;
  A* y;
  __device__ void operator()(int row, int channel) const {
    constexpr int n = device::few_of<A, C>;
    using Few = device::Few<A, n>;
    const std::int64_t at = static_cast<std::int64_t>(row) * C + channel;
    const Few before = Few::load(x + at);
    const auto more = device::Few<W, n>::load(b + channel);
    Few value, keep;
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i) {
      const float input = static_cast<float>(before.of[i]) + static_cast<float>(more.of[i]);
      const auto point = Act::at(input);
      value.of[i] = static_cast<A>(point.value);
      keep.of[i] = static_cast<A>(K == Keep::input ? input : point.slope);
    }
    value.store(y + at);
    if constexpr (K != Keep::nothing) keep.store(kept + at);
  }
};

template <class Act> struct TimesSlope {
  __device__ float operator()(float dy, float x) const { return dy * Act::at(x).slope; }
};

}  // namespace detail

template <class Target> struct Activation<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <class Act, class A, class W, int C>
  static void forward(const D& dev, const W* b, Rows<A, C> x, Rows<A, C> y) {
    walk<Act, detail::Keep::slope>(dev, b, x.data, x.data, y);
  }
  /// aux = y + b, y = act(y + b)
  template <class Act, class A, class W, int C>
  static void forward_keeping_input(const D& dev, const W* b, Rows<A, C> aux, Rows<A, C> y) {
    walk<Act, detail::Keep::input>(dev, b, y.data, aux.data, y);
  }
  /// y = act(y + b)
  template <class Act, class A, class W, int C> static void forward(const D& dev, const W* b, Rows<A, C> y) {
    walk<Act, detail::Keep::nothing>(dev, b, y.data, static_cast<A*>(nullptr), y);
  }
  template <class A, int C>
  static void backward(const D& dev, Rows<const A, C> dy, Rows<const A, C> slope, Rows<A, C> dx) {
    device::each<device::few_of<A, C>, C>(dev.stream(), dy.n,
                                          detail::JoinFew<detail::Times, A, C>{dy.data, slope.data, dx.data});
  }
  /// dx = dy act'(x)
  template <class Act, class A, int C>
  static void backward_by_input(const D& dev, Rows<const A, C> dy, Rows<const A, C> x, Rows<A, C> dx) {
    device::each<device::few_of<A, C>, C>(dev.stream(), dy.n,
                                          detail::JoinFew<detail::TimesSlope<Act>, A, C>{dy.data, x.data, dx.data});
  }

 private:
  template <class Act, detail::Keep K, class A, class W, int C>
  static void walk(const D& dev, const W* b, const A* x, A* kept, Rows<A, C> y) {
    device::each<device::few_of<A, C>, C>(dev.stream(), y.n, detail::BiasActFew<Act, K, A, W, C>{b, x, kept, y.data});
  }
};

}  // namespace entrain::kernel
