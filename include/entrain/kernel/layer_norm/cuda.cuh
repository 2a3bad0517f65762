// core > device, precision > tensor > [kernel] > layer
//
// The lanes of a warp hold a row in registers: each number is read once and written once.
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/ptx.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/bias/column_sums.cuh"
#include "entrain/kernel/layer_norm/contract.hpp"

namespace entrain::kernel {
namespace detail {

/// Normalises v; stat = its mean, 1 / its deviation, stored if the row exists. The constructor starts the loads, so it
/// should be called early.
///
/// Shifted   whether there is a shift
template <int C, class A, class S, bool Shifted = true> class NormOfRow {
  using Row = device::WarpRow<A, C>;

 public:
  __device__ NormOfRow(const S* gain, const S* shift, int lane) {
    Row::load(gain, lane, by_);
    if constexpr (Shifted) Row::load(shift, lane, more_);
  }
  __device__ void operator()(S (&v)[Row::size], int lane, bool there, S eps, S* stat) const {
    S sum = 0;
    for (const S one : v) sum += one;
    const S mean = device::warp_sum<Row::lanes>(sum) * S(1.0 / C);
    S squares = 0;
    Row::each(lane, [&](int i) { squares += (v[i] - mean) * (v[i] - mean); });
    const S rstd = device::inverse_root(device::warp_sum<Row::lanes>(squares) * S(1.0 / C) + eps);
    Row::each(lane, [&](int i) {
      if constexpr (Shifted) {
        v[i] = (v[i] - mean) * rstd * by_[i] + more_[i];
      } else {
        v[i] = (v[i] - mean) * rstd * by_[i];
      }
    });
    if (!there || lane != 0) return;
    stat[0] = mean;
    stat[1] = rstd;
  }

 private:
  S by_[Row::size], more_[Row::size];
};

/// d, the slopes at y = norm(x), becomes the slopes at x; x is overwritten.
template <int C, class A, class S, int N>
__device__ void norm_slopes_of_row(S (&d)[N], S (&x)[N], int lane, const S* stat, const S* gain) {
  using Row = device::WarpRow<A, C>;
  const S mean = stat[0], rstd = stat[1];
  S by[Row::size];
  Row::load(gain, lane, by);
  S sum = 0, product = 0;
  Row::each(lane, [&](int i) {
    d[i] *= by[i];
    x[i] = (x[i] - mean) * rstd;
    sum += d[i];
    product += d[i] * x[i];
  });
  const S a = device::warp_sum<Row::lanes>(sum) * S(1.0 / C), b = device::warp_sum<Row::lanes>(product) * S(1.0 / C);
  Row::each(lane, [&](int i) { d[i] = rstd * (d[i] - a - x[i] * b); });
}

template <bool Shifted, int C, class A, class S> __global__ void __launch_bounds__(device::threads_of_rows)
    layer_norm_forward(const A* x, const S* gain, const S* shift, S eps, S* stat, A* y, int n) {
  using Row = device::WarpRow<A, C>;
  const auto [row, lane, there] = device::row_or_last<Row::lanes>(n);
  const std::int64_t at = static_cast<std::int64_t>(row) * C;
  S v[Row::size];
  Row::load(x + at, lane, v);
  NormOfRow<C, A, S, Shifted>(gain, shift, lane)(v, lane, there, eps, stat + 2 * row);
  if (there) Row::store(y + at, lane, v);
}

template <int C, class A, class S> __global__ void __launch_bounds__(device::threads_of_rows)
    layer_norm_backward(const A* dy, const A* x, const S* stat, const S* gain, A* dx, int n, Write how) {
  using Row = device::WarpRow<A, C>;
  const auto [row, lane, there] = device::row_or_last<Row::lanes>(n);
  const std::int64_t at = static_cast<std::int64_t>(row) * C;
  S d[Row::size], h[Row::size];
  Row::load(dy + at, lane, d);
  Row::load(x + at, lane, h);
  norm_slopes_of_row<C, A>(d, h, lane, stat + 2 * row, gain);
  if (!there) return;
  if (how == Write::add) {
    Row::load(dx + at, lane, h);
    Row::each(lane, [&](int i) { d[i] += h[i]; });
  }
  Row::store(dx + at, lane, d);
}

/// The terms of the gains' gradients: dy h and dy.
template <int C, class A, class S> struct NormTerms {
  static constexpr int few = device::few_of<A, C>;
  const A* dy;
  const A* x;
  const S* stat;

  __device__ void operator()(int row, int column, S (&sum)[2][few]) const {
    using Few = device::Few<A, few>;
    const std::int64_t at = static_cast<std::int64_t>(row) * C + column;
    const Few slopes = Few::load(dy + at), from = Few::load(x + at);
    const auto of_row = device::Few<S, 2>::load(stat + 2 * static_cast<std::int64_t>(row));
    const S mean = of_row.of[0], inverse = of_row.of[1];
    ENTRAIN_UNROLL
    for (int i = 0; i < few; ++i) {
      const S d = slopes.template as<S>(i);
      sum[0][i] += d * ((from.template as<S>(i) - mean) * inverse);
      sum[1][i] += d;
    }
  }
};

}  // namespace detail

template <class Target> struct LayerNorm<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <class A, class S, int C> static void forward(const D& dev, Rows<const A, C> x, const S* gain,
                                                         const S* shift, double eps, Rows<S, 2> stat, Rows<A, C> y) {
    device::launch(
        dev.stream(), device::grid_of_rows<device::WarpRow<A, C>::lanes>(x.n),
        shift != nullptr ? detail::layer_norm_forward<true, C, A, S> : detail::layer_norm_forward<false, C, A, S>,
        x.data, gain, shift, static_cast<S>(eps), stat.data, y.data, x.n);
  }
  template <class A, class S, int C> static void backward(const D& dev, Rows<const A, C> dy, Rows<const A, C> x,
                                                          Rows<const S, 2> stat, const S* gain, Rows<A, C> dx,
                                                          Write how) {
    device::launch(dev.stream(), device::grid_of_rows<device::WarpRow<A, C>::lanes>(x.n),
                   detail::layer_norm_backward<C, A, S>, dy.data, x.data, stat.data, gain, dx.data, x.n, how);
  }
  template <class A, class S, int C> static void params(const D& dev, Rows<const A, C> dy, Rows<const A, C> x,
                                                        Rows<const S, 2> stat, S* ggain, S* gshift, Write how) {
    detail::column_sums<2>(dev, detail::NormTerms<C, A, S>{dy.data, x.data, stat.data}, x.n, C,
                           detail::ColumnResults<S, 2>{{ggain, gshift}}, how);
  }
};

}  // namespace entrain::kernel
