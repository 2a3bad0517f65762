// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/kernel/gather/contract.hpp"
#include "entrain/kernel/gather/segment_sums.cuh"

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

template <class A, int C> struct ScatterTerms {
  static constexpr int width = C, few = device::few_of<A, C>;
  static constexpr bool ends = false;
  using Sum = float;
  using Few = device::Few<A, few>;
  const A* dy;
  A* dx;
  __device__ Few term(std::int32_t row, int channel) const {
    return Few::load(dy + static_cast<std::int64_t>(row) * C + channel);
  }
  __device__ void begin(std::int32_t, int, float (&)[few]) const {}
  __device__ void write(std::int32_t id, int channel, const float (&sum)[few]) const {
    Few out;
    ENTRAIN_UNROLL
    for (int k = 0; k < few; ++k) out.of[k] = static_cast<A>(sum[k]);
    out.store(dx + static_cast<std::int64_t>(id) * C + channel);
  }
  __device__ void end(std::int32_t, int) const {}
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
  template <class A, int C> static void backward(const D& dev, Rows<const A, C> dy, CsrIndex segments, Rows<A, C> dx) {
    detail::segment_sums(dev, detail::ScatterTerms<A, C>{dy.data, dx.data}, segments, dy.n);
  }
};

}  // namespace entrain::kernel
