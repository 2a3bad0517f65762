// core > device, precision > tensor > [kernel] > layer
//
// The lanes of a warp hold a row in registers, from the tables to the norm.
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/layer_norm/cuda.cuh"
#include "entrain/kernel/piece_embed/contract.hpp"
#include "entrain/kernel/residual_norm/row_dropout.cuh"

namespace entrain::kernel {
namespace detail {

template <bool Training, bool Typed, int C, class A, class W, class S>
__global__ void __launch_bounds__(device::threads_of_rows)
    piece_embed_forward(const W* word, const std::int32_t* ids, const W* position, const std::int32_t* places,
                        const W* type, const S* gain, const S* shift, S eps, A* sum, S* stat, A* y, int n,
                        const Counters* counters, RngStream rng_stream) {
  using Row = device::WarpRow<A, C>;
  const auto [row, lane, there] = device::row_or_last<Row::lanes>(n);
  const std::int64_t at = static_cast<std::int64_t>(row) * C;
  S v[Row::size], where[Row::size], which[Row::size] = {};
  Row::load(word + static_cast<std::int64_t>(ids[row]) * C, lane, v);
  Row::load(position + static_cast<std::int64_t>(places[row]) * C, lane, where);
  if constexpr (Typed) Row::load(type, lane, which);
  device::loads_stay_above();
  const RowDropout<Training, A, C> dropped(row, lane,
                                           {counters, rng_stream});  // before the first use of loaded numbers
  Row::each(lane, [&](int i) { v[i] += where[i] + which[i]; });
  const NormOfRow<C, A, S> norm(gain, shift, lane);
  if (there) Row::store(sum + at, lane, v);  // stored rounded, normalised unrounded (kernel/residual_norm/cuda.cuh)
  norm(v, lane, there, eps, stat + 2 * row);
  Row::each(lane, [&](int i) { v[i] = dropped(v[i], i); });
  if (there) Row::store(y + at, lane, v);
}

}  // namespace detail

template <class Target> struct PieceEmbed<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <bool Typed, class A, class W, class S, int C>
  static void forward(const Step<D>& at, const W* word, const std::int32_t* ids, const W* position,
                      const std::int32_t* places, const W* type, const S* gain, const S* shift, double eps,
                      Rows<A, C> sum, Rows<S, 2> stat, Rows<A, C> y) {
    device::launch(at.dev.stream(), device::grid_of_rows<device::WarpRow<A, C>::lanes>(y.n),
                   at.training ? detail::piece_embed_forward<true, Typed, C, A, W, S>
                               : detail::piece_embed_forward<false, Typed, C, A, W, S>,
                   word, ids, position, places, type, gain, shift, static_cast<S>(eps), sum.data, stat.data, y.data,
                   y.n, at.counters, at.rng_stream);
  }
};

}  // namespace entrain::kernel
