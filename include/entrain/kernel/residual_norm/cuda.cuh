// core > device, precision > tensor > [kernel] > layer
//
// A warp has a row, all of it in registers: each number is read once and written once.
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/dropout/cuda.cuh"
#include "entrain/kernel/layer_norm/cuda.cuh"
#include "entrain/kernel/residual_norm/contract.hpp"

namespace entrain::kernel {
namespace detail {

/// The numbers that a lane holds of a row, after dropout. Where a lane has four neighbours, two lanes share a draw of
/// eight: each draws for one of two groups and gives the other its half, because drawing is most of the work.
template <int C, class A, class S, int N>
__device__ void drop_of_row(S (&v)[N], int row, int lane, const Counters& counters, Site site) {
  using Row = device::WarpRow<A, C>;
  const Counters here = counters;  // read once
  const DropoutFactors factor(here);
  if constexpr (Row::few == 4) {
    const int odd = lane % 2;
    ENTRAIN_UNROLL
    for (int g = 0; g < Row::groups; g += 2) {
      const auto mine = dropout_words(here, site, row, ((g + odd) * device::warp + lane) / 2);
      const RandomWords<2> kept{{odd != 0 ? mine[2] : mine[0], odd != 0 ? mine[3] : mine[1]}};
      const RandomWords<2> got{{__shfl_xor_sync(device::all_lanes, odd != 0 ? mine[0] : mine[2], 1),
                                __shfl_xor_sync(device::all_lanes, odd != 0 ? mine[1] : mine[3], 1)}};
      ENTRAIN_UNROLL
      for (int i = 0; i < 4; ++i) {
        const std::uint32_t own = kept[i / 2], other = got[i / 2];
        v[g * 4 + i] *= factor.of(odd != 0 ? other : own, i);
        if (g + 1 < Row::groups) v[g * 4 + 4 + i] *= factor.of(odd != 0 ? own : other, i);
      }
    }
  } else {
    Row::each_group(lane, [&](int place, int first) {
      static_assert(8 % Row::few == 0, "entrain: neighbours of a group have their bits from one draw");
      const auto words = dropout_words(here, site, row, first / 8);
      ENTRAIN_UNROLL
      for (int i = 0; i < Row::few; ++i) v[place + i] *= factor(words, (first + i) % 8);
    });
  }
}

template <bool Training, int C, class A, class W, class S> __global__ void __launch_bounds__(device::threads_of_rows)
    residual_norm_forward(const A* f, const W* b, const A* x, const W* gain, const W* shift, S eps, A* sum, S* stat,
                          A* y, int n, const Counters* counters, Site site) {
  using Row = device::WarpRow<A, C>;
  const auto [row, lane] = device::row_of_warp();
  if (row >= n) return;
  const std::int64_t at = static_cast<std::int64_t>(row) * C;
  S v[Row::size], old[Row::size], bias[Row::size];
  Row::load(f + at, lane, v);
  Row::load(x + at, lane, old);
  Row::load(b, lane, bias);
  Row::each(lane, [&](int i) { v[i] += bias[i]; });
  if constexpr (Training) drop_of_row<C, A>(v, row, lane, *counters, site);
  // What is kept is what is normalised, so that backward finds the same.
  Row::each(lane, [&](int i) { v[i] = static_cast<S>(static_cast<A>(old[i] + v[i])); });
  Row::store(sum + at, lane, v);
  norm_of_row<C>(v, lane, gain, shift, eps, stat + 2 * row, y + at);
}

template <bool Training, int C, class A, class W, class S> __global__ void __launch_bounds__(device::threads_of_rows)
    residual_norm_backward(const A* dy, const A* sum, const S* stat, const W* gain, A* dsum, A* df, int n,
                           const Counters* counters, Site site) {
  using Row = device::WarpRow<A, C>;
  const auto [row, lane] = device::row_of_warp();
  if (row >= n) return;
  const std::int64_t at = static_cast<std::int64_t>(row) * C;
  S d[Row::size], h[Row::size];
  Row::load(dy + at, lane, d);
  Row::load(sum + at, lane, h);
  norm_slopes_of_row<C, A>(d, h, lane, stat + 2 * row, gain);
  Row::store(dsum + at, lane, d);
  if constexpr (Training) drop_of_row<C, A>(d, row, lane, *counters, site);
  Row::store(df + at, lane, d);
}

}  // namespace detail

template <class Target> struct ResidualNorm<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <class A, class W, class S, int C>
  static void forward(const Step<D>& at, Rows<const A, C> f, const W* b, Rows<const A, C> x, const W* gain,
                      const W* shift, double eps, Rows<A, C> sum, Rows<S, 2> stat, Rows<A, C> y) {
    device::launch(at.dev.stream(), device::grid_of_rows(x.n),
                   at.training ? detail::residual_norm_forward<true, C, A, W, S>
                               : detail::residual_norm_forward<false, C, A, W, S>,
                   f.data, b, x.data, gain, shift, static_cast<S>(eps), sum.data, stat.data, y.data, x.n, at.counters,
                   at.site);
  }
  template <class A, class W, class S, int C> static void backward(const Step<D>& at, Rows<const A, C> dy,
                                                                   Rows<const A, C> sum, Rows<const S, 2> stat,
                                                                   const W* gain, Rows<A, C> dsum, Rows<A, C> df) {
    device::launch(at.dev.stream(), device::grid_of_rows(sum.n),
                   at.training ? detail::residual_norm_backward<true, C, A, W, S>
                               : detail::residual_norm_backward<false, C, A, W, S>,
                   dy.data, sum.data, stat.data, gain, dsum.data, df.data, sum.n, at.counters, at.site);
  }
};

}  // namespace entrain::kernel
