// core > device, precision > tensor > [kernel] > layer
//
// A segment's sum is one thread's for each few channels, item after item: the order is that of the packer.
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/kernel/gather/contract.hpp"

namespace entrain::kernel {
namespace detail {

/// y[n] = x[index[n]], zero where index[n] < 0
template <class A, int C> struct GatherFew {
  const A* x;
  const std::int32_t* index;
  A* y;
  __device__ void operator()(int row, int channel) const {
    using Few = device::Few<A, device::few_of<A, C>>;
    const std::int32_t from = index[row];
    const Few part = from >= 0 ? Few::load(x + static_cast<std::int64_t>(from) * C + channel) : Few::all(A(0.f));
    part.store(y + static_cast<std::int64_t>(row) * C + channel);
  }
};

template <class A, int C> struct ScatterFew {
  const A* dy;
  Segments segments;
  A* dx;
  __device__ void operator()(int segment, int channel) const {
    constexpr int n = device::few_of<A, C>;
    using Few = device::Few<A, n>;
    float sum[n] = {};
    for (int i = segments.starts[segment]; i < segments.starts[segment + 1]; ++i) {
      const Few part = Few::load(dy + static_cast<std::int64_t>(segments.items[i]) * C + channel);
      ENTRAIN_UNROLL
      for (int k = 0; k < n; ++k) sum[k] += static_cast<float>(part.of[k]);
    }
    Few out;
    ENTRAIN_UNROLL
    for (int k = 0; k < n; ++k) out.of[k] = static_cast<A>(sum[k]);
    out.store(dx + static_cast<std::int64_t>(segments.ids[segment]) * C + channel);
  }
};

}  // namespace detail

template <class Target> struct Gather<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <class A, int C>
  static void forward(const D& dev, Rows<const A, C> x, const std::int32_t* index, Rows<A, C> y) {
    device::each<device::few_of<A, C>, C>(dev.stream(), y.n, detail::GatherFew<A, C>{x.data, index, y.data});
  }
  template <class A, int C>
  static void spread(const D& dev, Rows<const A, C> dy, const std::int32_t* from, Rows<A, C> dx) {
    device::each<device::few_of<A, C>, C>(dev.stream(), dx.n, detail::GatherFew<A, C>{dy.data, from, dx.data});
  }
  template <class A, int C> static void backward(const D& dev, Rows<const A, C> dy, Segments segments, Rows<A, C> dx) {
    device::each<device::few_of<A, C>, C>(dev.stream(), segments.count,
                                          detail::ScatterFew<A, C>{dy.data, segments, dx.data});
  }
};

}  // namespace entrain::kernel
