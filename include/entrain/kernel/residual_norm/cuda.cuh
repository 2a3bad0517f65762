// core > device, precision > tensor > [kernel] > layer
//
// The lanes of a warp hold a row in registers: each number is read once and written once.
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/bias/cuda.cuh"
#include "entrain/kernel/layer_norm/cuda.cuh"
#include "entrain/kernel/residual_norm/contract.hpp"
#include "entrain/kernel/residual_norm/row_dropout.cuh"
#include "entrain/kernel/residual_norm/row_range.cuh"

namespace entrain::kernel {
namespace detail {

template <bool Training, int C, class A, class W, class S> __global__ void __launch_bounds__(device::threads_of_rows)
    residual_norm_forward(const A* f, const W* b, const A* x, const S* gain, const S* shift, S eps, A* sum, S* stat,
                          A* y, int n, const Counters* counters, RngStream rng_stream) {
  using Row = device::WarpRow<A, C>;
  const auto [row, lane, there] = device::row_or_last<Row::lanes>(n);
  const std::int64_t at = static_cast<std::int64_t>(row) * C;
  S v[Row::size], old[Row::size], bias[Row::size];
  Row::load(f + at, lane, v);
  Row::load(x + at, lane, old);
  Row::load(b, lane, bias);
  device::loads_stay_above();
  const RowDropout<Training, A, C> dropped(row, lane,
                                           {counters, rng_stream});  // before the first use of loaded numbers
  Row::each(lane, [&](int i) { v[i] = old[i] + dropped(v[i] + bias[i], i); });
  // The kernel stores the sum rounded to A, but normalises the unrounded sum. f and x are already numbers of A: many of
  // their sums are exactly halfway between two numbers of A, where even the smallest bias would decide the rounding of
  // all of them.
  const NormOfRow<C, A, S> norm(gain, shift, lane);  // before the branch: after it, compilers load one by one
  if (there) Row::store(sum + at, lane, v);
  norm(v, lane, there, eps, stat + 2 * row);
  if (there) Row::store(y + at, lane, v);
}

template <bool Training, int C, class A, class S> __global__ void __launch_bounds__(device::threads_of_rows)
    residual_norm_backward(const A* dy, const A* sum, const S* stat, const S* gain, A* dsum, A* df, int n,
                           const Counters* counters, RngStream rng_stream) {
  using Row = device::WarpRow<A, C>;
  const auto [row, lane, there] = device::row_or_last<Row::lanes>(n);
  const std::int64_t at = static_cast<std::int64_t>(row) * C;
  S d[Row::size], h[Row::size];
  Row::load(dy + at, lane, d);
  Row::load(sum + at, lane, h);
  const RowDropout<Training, A, C> dropped(row, lane,
                                           {counters, rng_stream});  // before the first use of loaded numbers
  norm_slopes_of_row<C, A>(d, h, lane, stat + 2 * row, gain);
  if (!there) return;
  Row::store(dsum + at, lane, d);
  Row::each(lane, [&](int i) { d[i] = dropped(d[i], i); });
  Row::store(df + at, lane, d);
}

}  // namespace detail

template <class Target> struct ResidualNorm<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <class A, class W, class S, int C>
  static void forward(const Step<D>& at, Rows<const A, C> f, const W* b, Rows<const A, C> x, const S* gain,
                      const S* shift, double eps, Rows<A, C> sum, Rows<S, 2> stat, Rows<A, C> y) {
    device::launch(at.dev.stream(), device::grid_of_rows<device::WarpRow<A, C>::lanes>(x.n),
                   at.training ? detail::residual_norm_forward<true, C, A, W, S>
                               : detail::residual_norm_forward<false, C, A, W, S>,
                   f.data, b, x.data, gain, shift, static_cast<S>(eps), sum.data, stat.data, y.data, x.n, at.counters,
                   at.rng_stream);
  }
  template <class A, class S, int C> static void backward(const Step<D>& at, Rows<const A, C> dy, Rows<const A, C> sum,
                                                          Rows<const S, 2> stat, const S* gain, Rows<A, C> dsum,
                                                          Rows<A, C> df) {
    device::launch(
        at.dev.stream(), device::grid_of_rows<device::WarpRow<A, C>::lanes>(sum.n),
        at.training ? detail::residual_norm_backward<true, C, A, S> : detail::residual_norm_backward<false, C, A, S>,
        dy.data, sum.data, stat.data, gain, dsum.data, df.data, sum.n, at.counters, at.rng_stream);
  }

  /// If rows are wider, a block holds at most one.
  template <class A, int C> static constexpr bool sums_with_rows = detail::RangeBlock<A, C>::rows > 1;

  template <class A, class S, int C> static void gradients(const BackwardStep<D>& at, RngStream drawn,
                                                           Rows<const A, C> dy, Rows<const A, C> sum,
                                                           Rows<const S, 2> stat, const S* gain, Rows<A, C> dsum,
                                                           Rows<A, C> df, S* gbias, S* ggain, S* gshift, S* parts) {
    const auto [rows, ranges] = detail::RowRanges::of(sum.n, NormRanges::fewest_rows, NormRanges::most);
    device::launch(
        at.dev.stream(),
        {dim3(static_cast<unsigned>(ranges)), dim3(detail::RangeBlock<A, C>::threads),
         sizeof(detail::RangeMemory<A, S, C>)},
        at.training ? detail::residual_norm_range<true, C, A, S> : detail::residual_norm_range<false, C, A, S>, dy.data,
        sum.data, stat.data, gain, dsum.data, df.data, parts, sum.n, rows, at.counters, drawn);
    detail::add_later(at, static_cast<const S*>(parts), detail::ColumnResults<S, 3>{{gbias, ggain, gshift}}, C, ranges);
  }
};

}  // namespace entrain::kernel
