// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/launch.cuh"
#include "entrain/device/vector_load.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/bias/column_sums.cuh"
#include "entrain/kernel/bias/contract.hpp"
#include "entrain/kernel/bias/gathered_sums.cuh"
#include "entrain/kernel/bias/part_sums.cuh"

namespace entrain::kernel {
namespace detail {

/// A warp for each row, N neighbouring columns a lane. Widths are run-time numbers here, as labels are.
template <int N, class A, class W> __global__ void __launch_bounds__(device::threads_of_rows)
    add_bias_rows(const W* b, Matrix<A> y) {
  const auto [row, lane] = device::row_of_warp();
  if (row >= y.rows) return;
  A* const to = y.data + static_cast<std::int64_t>(row) * y.stride;
  for (int column = lane * N; column < y.cols; column += device::warp * N) {
    auto few = device::Few<A, N>::load(to + column);
    const auto bias = device::Few<W, N>::load(b + column);
    ENTRAIN_UNROLL
    for (int i = 0; i < N; ++i) few.of[i] = static_cast<A>(few.template as<float>(i) + bias.template as<float>(i));
    few.store(to + column);
  }
}

/// Few       each row begins at a multiple of this many numbers
template <int Few, class A, class S> struct BiasTerms {
  static constexpr int few = Few;
  Matrix<const A> dy;
  __device__ void operator()(int row, int column, S (&sum)[1][few]) const {
    const auto d = device::Few<A, few>::load(dy.data + static_cast<std::int64_t>(row) * dy.stride + column);
    ENTRAIN_UNROLL
    for (int i = 0; i < few; ++i) sum[0][i] += d.template as<S>(i);
  }
};

/// If there are more parts, blocks first sum ranges of them: the 16 threads of a column alone would take longer to add
/// them than a product takes.
inline constexpr int most_parts_at_once = 512;

}  // namespace detail

template <class Target> struct Bias<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <class A, class W> static void add(const D& dev, const W* b, Matrix<A> y) {
    constexpr int few = 16 / static_cast<int>(sizeof(A));
    const auto even = [](const auto* p) { return reinterpret_cast<std::uintptr_t>(p) % (few * sizeof(*p)) == 0; };
    const bool by_few = y.cols % few == 0 && y.stride % few == 0 && even(b) && even(y.data);
    device::launch(dev.stream(), device::grid_of_rows(y.rows),
                   by_few ? detail::add_bias_rows<few, A, W> : detail::add_bias_rows<1, A, W>, b, y);
  }
  /// Width     the width of rows is a multiple of it
  template <int Width, class A, class S> static void sum(const D& dev, Matrix<const A> dy, S* g, Write how) {
    const detail::BiasTerms<device::few_of<A, Width>, A, S> terms{dy};
    detail::column_sums<1>(dev, terms, dy.rows, dy.cols, detail::ColumnResults<S, 1>{{g}}, how);
  }
  template <class S, int C> static void sum_parts(const BackwardStep<D>& at, Rows<const S, C> parts, S* g) {
    if (parts.n > detail::most_parts_at_once) {
      at.side([&](const D& dev) { sum<C>(dev, erase(parts), g, at.grads); });
    } else {
      detail::add_later(at, parts.data, detail::ColumnResults<S, 1>{{g}}, C, parts.n);
    }
  }
  static void add_gathered(const D& dev, const device::PartSums& sums, Write how) {
    int columns = 0;
    for (const device::PartSum& one : sums.of) columns += one.columns;
    device::launch(dev.stream(), detail::grid_of_parts<float>(columns),
                   how == Write::add ? detail::add_gathered_sums<true> : detail::add_gathered_sums<false>, sums);
  }
};

}  // namespace entrain::kernel
