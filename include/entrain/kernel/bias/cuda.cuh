// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/launch.cuh"
#include "entrain/kernel/bias/column_sums.cuh"
#include "entrain/kernel/bias/contract.hpp"

namespace entrain::kernel {
namespace detail {

/// Widths are run-time numbers here, as labels are.
template <class A, class W> __global__ void __launch_bounds__(256) add_bias_rows(const W* b, Matrix<A> y) {
  const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * 256 + threadIdx.x;
  const int row = static_cast<int>(at / y.cols), column = static_cast<int>(at % y.cols);
  if (row >= y.rows) return;
  A& to = y.data[static_cast<std::int64_t>(row) * y.stride + column];
  to = static_cast<A>(static_cast<float>(to) + static_cast<float>(b[column]));
}

template <class A, class S> struct BiasTerms {
  Matrix<const A> dy;
  __device__ void operator()(int row, int column, S (&sum)[1]) const {
    sum[0] += static_cast<S>(dy.data[static_cast<std::int64_t>(row) * dy.stride + column]);
  }
};

}  // namespace detail

template <class Target> struct Bias<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <class A, class W> static void add(const D& dev, const W* b, Matrix<A> y) {
    const std::int64_t count = static_cast<std::int64_t>(y.rows) * y.cols;
    device::launch(dev.stream(), {dim3(static_cast<unsigned>((count + 255) / 256)), dim3(256)},
                   detail::add_bias_rows<A, W>, b, y);
  }
  template <class A, class S> static void sum(const D& dev, Matrix<const A> dy, S* g, Write how) {
    detail::column_sums<1>(dev, detail::BiasTerms<A, S>{dy}, dy.rows, dy.cols, detail::ColumnResults<S, 1>{{g}}, how);
  }
  template <class S, int C> static void sum_parts(const D& dev, Rows<const S, C> parts, S* g, Write how) {
    detail::add_stretches(dev, parts.data, detail::ColumnResults<S, 1>{{g}}, C, parts.n, how);
  }
};

}  // namespace entrain::kernel
