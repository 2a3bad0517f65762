// core > device, precision > tensor > [kernel] > layer
#pragma once
#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/kernel/map/contract.hpp"

namespace entrain::kernel {
namespace detail {

template <class A, int C> struct AddFew {
  const A* x;
  A* y;
  __device__ void operator()(int row, int channel) const {
    constexpr int n = device::few_of<A, C>;
    using Few = device::Few<A, n>;
    const std::int64_t at = static_cast<std::int64_t>(row) * C + channel;
    const Few more = Few::load(x + at);
    Few sum = Few::load(y + at);
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i)
      sum.of[i] = static_cast<A>(static_cast<float>(sum.of[i]) + static_cast<float>(more.of[i]));
    sum.store(y + at);
  }
};

}  // namespace detail

template <class Target> struct Map<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <class A, int C> static void copy(const D& dev, Rows<const A, C> x, Rows<A, C> y) {
    if (x.n == 0) return;
    device::check(cudaMemcpyAsync(y.data, x.data, x.size() * sizeof(A), cudaMemcpyDeviceToDevice, dev.stream()),
                  "cudaMemcpyAsync");
  }
  template <class A, int C> static void add(const D& dev, Rows<const A, C> x, Rows<A, C> y) {
    device::each<device::few_of<A, C>, C>(dev.stream(), x.n, detail::AddFew<A, C>{x.data, y.data});
  }
};

}  // namespace entrain::kernel
