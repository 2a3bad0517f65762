// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/kernel/activation/fast_gelu.cuh"
#include "entrain/kernel/gated/contract.hpp"

namespace entrain::kernel {
namespace detail {

/// y = act(u[i]) u[I+i]
template <class Act, class A, int I> struct GatedFew {
  const A* u;
  A* y;
  __device__ void operator()(int row, int channel) const {
    constexpr int n = device::few_of<A, I>;
    using Few = device::Few<A, n>;
    const std::int64_t at = static_cast<std::int64_t>(row) * I + channel;
    const A* const from = u + (static_cast<std::int64_t>(row) * (2 * I) + channel);
    const Few in = Few::load(from), gate = Few::load(from + I);
    Few value;
    ENTRAIN_UNROLL
    for (int k = 0; k < n; ++k)
      value.of[k] = static_cast<A>(point<Act, A>(in.template as<float>(k)).value * gate.template as<float>(k));
    value.store(y + at);
  }
};

/// du[i] = dy u[I+i] act'(u[i]), du[I+i] = dy act(u[i]);   du may be u
template <class Act, class A, int I> struct GatedBackFew {
  const A* dy;
  const A* u;
  A* du;
  __device__ void operator()(int row, int channel) const {
    constexpr int n = device::few_of<A, I>;
    using Few = device::Few<A, n>;
    const std::int64_t at = static_cast<std::int64_t>(row) * (2 * I) + channel;
    const Few d = Few::load(dy + (static_cast<std::int64_t>(row) * I + channel));
    const Few in = Few::load(u + at), gate = Few::load(u + at + I);
    Few of_in, of_gate;
    ENTRAIN_UNROLL
    for (int k = 0; k < n; ++k) {
      const auto at_in = point<Act, A>(in.template as<float>(k));
      const float slope = d.template as<float>(k);
      of_in.of[k] = static_cast<A>(slope * gate.template as<float>(k) * at_in.slope);
      of_gate.of[k] = static_cast<A>(slope * at_in.value);
    }
    of_in.store(du + at);
    of_gate.store(du + at + I);
  }
};

}  // namespace detail

template <class Target> struct Gated<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <class Act, class A, int I2, int I> static void forward(const D& dev, Rows<const A, I2> u, Rows<A, I> y) {
    device::each<device::few_of<A, I>, I>(dev.stream(), y.n, detail::GatedFew<Act, A, I>{u.data, y.data});
  }
  template <class Act, class A, int I2, int I>
  static void backward(const D& dev, Rows<const A, I> dy, Rows<const A, I2> u, Rows<A, I2> du) {
    device::each<device::few_of<A, I>, I>(dev.stream(), dy.n,
                                          detail::GatedBackFew<Act, A, I>{dy.data, u.data, du.data});
  }
};

}  // namespace entrain::kernel
