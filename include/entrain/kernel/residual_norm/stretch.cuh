// core > device, precision > tensor > [kernel] > layer
//
// The end of a sublayer, backward, and its parameters' gradients on the way: a block walks along a stretch of rows, and
// its lanes add up the columns that they hold anyway. So nothing is read a second time for sums.
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/few.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/residual_norm/row_dropout.cuh"

namespace entrain::kernel::detail {

/// Sums of a stretch's columns, one for each row that a block has at once: the bias's, the gain's, the shift's.
template <class A, class S, int C> struct StretchSums {
  S of[device::rows_of_block<device::WarpRow<A, C>::lanes>][3 * C];
};

/// A row's numbers as they lie in memory. Of one that is not there all are 0, which adds nothing to sums.
template <class A, class S, int C> struct RowOfStretch {
  using Row = device::WarpRow<A, C>;
  using Packed = typename Row::template Packed<A>;
  device::Words<Packed> dy[Row::groups], sum[Row::groups];
  device::Few<S, 2> stat;

  __device__ void load(const A* all_dy, const A* all_sum, const S* all_stat, int row, int last, int lane) {
    if (row < last) {
      const std::int64_t at = static_cast<std::int64_t>(row) * C;
      Row::load_packed(all_dy + at, lane, dy);
      Row::load_packed(all_sum + at, lane, sum);
      stat = device::Few<S, 2>::load(all_stat + 2 * static_cast<std::int64_t>(row));
    } else {
      ENTRAIN_UNROLL
      for (int g = 0; g < Row::groups; ++g) dy[g] = sum[g] = {};
      stat = device::Few<S, 2>::all(S(0));
    }
  }
};

/// dsum and df of a stretch's rows, and parts[stretch, k, c], the stretch's sums: in which order they are added hangs
/// on nothing but `rows`, how many a stretch has.
///
/// Few warps find room beside each other: while a lane computes, the row that it has next is on its way, and the gain
/// stays. A lane that holds more than that has no registers for it.
template <bool Training, int C, class A, class S> __global__ void __launch_bounds__(device::threads_of_rows)
    residual_norm_stretch(const A* dy, const A* sum, const S* stat, const S* gain, A* dsum, A* df, S* parts, int n,
                          int rows, const Counters* counters, Site site) {
  using Row = device::WarpRow<A, C>;
  constexpr int at_once = device::rows_of_block<Row::lanes>;
  constexpr bool ahead = Row::size * sizeof(A) <= 48;
  const int thread = static_cast<int>(threadIdx.x), mine = thread / Row::lanes, lane = thread % Row::lanes;
  const int first = static_cast<int>(blockIdx.x) * rows, last = first + rows < n ? first + rows : n;
  const DropoutOfRows<Training> dropout(counters, site);
  S by[Row::size];
  if constexpr (ahead) Row::load(gain, lane, by);
  S bias_sum[Row::size] = {}, gain_sum[Row::size] = {}, shift_sum[Row::size] = {};
  RowOfStretch<A, S, C> next;
  if constexpr (ahead) next.load(dy, sum, stat, first + mine, last, lane);

  // The block's warps go round together, with or without a row: rows may share a warp, whose lanes meet in its sums.
  for (int row = first + mine; row - mine < last; row += at_once) {
    if constexpr (!ahead) {
      next.load(dy, sum, stat, row, last, lane);
      Row::load(gain, lane, by);
    }
    S d[Row::size], h[Row::size];
    Row::template widen<A>(next.dy, d);
    Row::template widen<A>(next.sum, h);
    const S mean = next.stat.of[0], rstd = next.stat.of[1];
    if constexpr (ahead) next.load(dy, sum, stat, row + at_once, last, lane);
    const RowDropout<Training, A, C> dropped(row, lane, dropout);
    S slopes = 0, product = 0;
    Row::each(lane, [&](int i) {
      h[i] = (h[i] - mean) * rstd;
      gain_sum[i] += d[i] * h[i];
      shift_sum[i] += d[i];
      d[i] *= by[i];
      slopes += d[i];
      product += d[i] * h[i];
    });
    const S a = device::warp_sum<Row::lanes>(slopes) * S(1.0 / C);
    const S b = device::warp_sum<Row::lanes>(product) * S(1.0 / C);
    Row::each(lane, [&](int i) {
      d[i] = rstd * (d[i] - a - h[i] * b);
      h[i] = dropped(d[i], i);
      bias_sum[i] += h[i];
    });
    if (row >= last) continue;
    const std::int64_t at = static_cast<std::int64_t>(row) * C;
    Row::store(dsum + at, lane, d);
    Row::store(df + at, lane, h);
  }

  auto& memory = device::shared<StretchSums<A, S, C>>();
  Row::each_group(lane, [&](int place, int channel) {
    const auto put = [&](int k, const S(&from)[Row::size]) {
      device::Few<S, Row::few> few;
      ENTRAIN_UNROLL
      for (int i = 0; i < Row::few; ++i) few.of[i] = from[place + i];
      few.store(memory.of[mine] + k * C + channel);
    };
    put(0, bias_sum);
    put(1, gain_sum);
    put(2, shift_sum);
  });
  __syncthreads();
  for (int i = thread; i < 3 * C; i += device::threads_of_rows) {
    S total = 0;
    for (int k = 0; k < at_once; ++k) total += memory.of[k][i];
    parts[static_cast<std::int64_t>(blockIdx.x) * (3 * C) + i] = total;
  }
}

}  // namespace entrain::kernel::detail
