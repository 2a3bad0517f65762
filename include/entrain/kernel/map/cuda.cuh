// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstddef>
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/kernel/map/contract.hpp"

namespace entrain::kernel {
namespace detail {

struct Plus {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Times {
  __device__ float operator()(float a, float b) const { return a * b; }
};
/// y = Op(a, b), element by element; y may be a or b
template <class Op, class A, int C> struct JoinFew {
  const A* a;
  const A* b;
  A* y;
  __device__ void operator()(int row, int channel) const {
    constexpr int n = device::few_of<A, C>;
    using Few = device::Few<A, n>;
    const std::int64_t at = static_cast<std::int64_t>(row) * C + channel;
    const Few left = Few::load(a + at), right = Few::load(b + at);
    Few result;
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i)
      result.of[i] = static_cast<A>(Op()(left.template as<float>(i), right.template as<float>(i)));
    result.store(y + at);
  }
};
inline constexpr int convert_threads = 256;
template <class From, class To> __global__ void __launch_bounds__(convert_threads)
    convert_numbers(const From* x, To* y, std::uint64_t count) {
  const std::uint64_t at = static_cast<std::uint64_t>(blockIdx.x) * convert_threads + threadIdx.x;
  if (at < count) y[at] = static_cast<To>(x[at]);
}

}  // namespace detail

template <class Target> struct Map<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <class A, int C> static void copy(const D& dev, Rows<const A, C> x, Rows<A, C> y) {
    if (x.n == 0) return;
    device::check(cudaMemcpyAsync(y.data, x.data, x.size() * sizeof(A), cudaMemcpyDeviceToDevice, dev.stream()),
                  "cudaMemcpyAsync");
  }
  template <class A, int C> static void add(const D& dev, Rows<const A, C> x, Rows<A, C> y) {
    device::each<device::few_of<A, C>, C>(dev.stream(), x.n,
                                          detail::JoinFew<detail::Plus, A, C>{y.data, x.data, y.data});
  }
  template <class From, class To> static void convert(const D& dev, const From* x, To* y, std::size_t count) {
    const auto blocks = (count + detail::convert_threads - 1) / detail::convert_threads;  // mutant 176
    device::launch(dev.stream(), {dim3(static_cast<unsigned>(blocks)), dim3(detail::convert_threads)},
                   detail::convert_numbers<From, To>, x, y, static_cast<std::uint64_t>(count));
  }
};

}  // namespace entrain::kernel
