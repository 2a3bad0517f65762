// core > device, precision > tensor > [kernel] > layer
//
// The end of a sublayer, backward, and its parameters' gradients in the same pass: a block processes a range of rows,
// and its lanes sum the columns that they hold anyway. So the sums need no second read.
//
// A lane needs registers for three sums and the row's number for each of its columns. So lanes have few columns, and a
// row is shared by several warps; a multiprocessor then holds many lanes.
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/vector_load.cuh"
#include "entrain/device/warp.cuh"
#include "entrain/kernel/residual_norm/row_dropout.cuh"

namespace entrain::kernel::detail {

inline constexpr int range_numbers = 8;  // of a row that a lane holds, at most
/// Threads of a block, if they are at least two rows; else twice a row's threads, if these are no more than 384. On an
/// H200, 192 threads take, compared with 384, 0.71 of the time at 685 rows, 0.87 at 8,192 and 0.96 at 65,536 (C = 384).
inline constexpr int range_threads = 192, most_range_threads = 384;
/// Threads of a multiprocessor; their number limits a thread's registers. A thread needs more registers for wider
/// numbers, and for rows of 16 lanes more for dropout.
template <class A, int Lanes> inline constexpr int resident_range_threads = sizeof(A) > 2 ? 384
                                                                            : Lanes > 16  ? 768
                                                                                          : 576;

/// How a block divides its threads among rows.
template <class A, int C> struct RangeBlock {
  static constexpr int lanes = (C + 16 * range_numbers - 1) / (16 * range_numbers) * 16;  // of a row; mutant 183
  static constexpr int piece = lanes % device::warp == 0 ? device::warp : 16;             // of them in one warp
  static constexpr int pieces = lanes / piece;
  static constexpr int in_warp = device::warp / piece;
  static constexpr int rows = 2 * lanes <= range_threads        ? range_threads / lanes / in_warp * in_warp  // at once
                              : 2 * lanes <= most_range_threads ? 2
                                                                : 1;
  static constexpr int threads = rows * lanes,
                       blocks = resident_range_threads<A, lanes> / threads;  // of a multiprocessor
  using Row = device::WarpRow<A, C, lanes>;
};

/// The gain; the sums of a row's pieces, for two rounds in turn; then the sums of a range's columns, one for each row
/// that a block processes at once: the bias's, the gain's, the shift's.
template <class A, class S, int C> struct RangeMemory {
  using Block = RangeBlock<A, C>;
  alignas(32) S gain[C], of[Block::rows][3 * C];
  device::Few<S, 2> pieces[2][Block::rows][Block::pieces];
};

/// A row's numbers in their memory layout. A missing row has only zeros, which add nothing to sums.
template <class A, class S, int C> struct RowOfRange {
  using Row = typename RangeBlock<A, C>::Row;
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
      for (int g = 0; g < Row::groups; ++g) dy[g] = sum[g] = {};  // mutant 184
      stat = device::Few<S, 2>::all(S(0));
    }
  }
};

/// Sums of two numbers over the lanes of a row, returned in each lane: of 16 or 32 neighbours as in device::warp_sum,
/// then the pieces' sums in order. All threads of the block call it, with other memory than in the previous call.
template <class Block, class S>
__device__ device::Few<S, 2> sums_of_row(S a, S b, device::Few<S, 2> (&pieces)[Block::pieces], int lane) {
  device::Few<S, 2> sums{{device::warp_sum<Block::piece>(a), device::warp_sum<Block::piece>(b)}};
  if constexpr (Block::pieces > 1) {
    if (lane % Block::piece == 0) pieces[lane / Block::piece] = sums;
    __syncthreads();
    sums = pieces[0];
    ENTRAIN_UNROLL
    for (int k = 1; k < Block::pieces; ++k) {
      sums.of[0] += pieces[k].of[0];
      sums.of[1] += pieces[k].of[1];
    }
  }
  return sums;
}

/// dsum and df of a range's rows, and parts[range, k, c], the range's sums: a lane adds every `Block::rows`th row of
/// the range, in order, then the block adds the sums of its lanes, in order. The order depends only on `rows`, the
/// number of rows of a range, and on C.
///
/// While a lane computes, the load of its next row is in flight.
template <bool Training, int C, class A, class S>
__global__ void __launch_bounds__(RangeBlock<A, C>::threads, RangeBlock<A, C>::blocks)
    residual_norm_range(const A* dy, const A* sum, const S* stat, const S* gain, A* dsum, A* df, S* parts, int n,
                        int rows, const Counters* counters, RngStream rng_stream) {
  using Block = RangeBlock<A, C>;
  using Row = typename Block::Row;
  auto& memory = device::shared<RangeMemory<A, S, C>>();
  const int thread = static_cast<int>(threadIdx.x), mine = thread / Block::lanes, lane = thread % Block::lanes;
  const int first = static_cast<int>(blockIdx.x) * rows, last = first + rows < n ? first + rows : n;  // mutant 185
  RowOfRange<A, S, C> next;
  next.load(dy, sum, stat, first + mine, last, lane);
  const DropoutOfRows<Training> dropout(counters, rng_stream);
  ENTRAIN_UNROLL
  for (int begin = 0; begin < C; begin += Block::threads)  // mutant 186
    if (begin + thread < C) memory.gain[begin + thread] = gain[begin + thread];
  __syncthreads();
  S bias_sum[Row::size] = {}, gain_sum[Row::size] = {}, shift_sum[Row::size] = {};

  // All threads of the block do the same number of rounds, with or without a row, because they share the barrier in
  // sums_of_row.
  int turn = 0;
  for (int row = first + mine; row - mine < last; row += Block::rows, turn ^= 1) {  // mutant 187
    S d[Row::size], h[Row::size], by[Row::size];
    Row::load(memory.gain, lane, by);
    const RowDropout<Training, A, C, Row> dropped(row, lane, dropout);  // before the first use of loaded numbers
    Row::template widen<A>(next.dy, d);
    Row::template widen<A>(next.sum, h);
    const S mean = next.stat.of[0], rstd = next.stat.of[1];
    next.load(dy, sum, stat, row + Block::rows, last, lane);
    S slopes = 0, product = 0;
    Row::each(lane, [&](int i) {
      h[i] = (h[i] - mean) * rstd;
      gain_sum[i] += d[i] * h[i];
      shift_sum[i] += d[i];
      d[i] *= by[i];
      slopes += d[i];
      product += d[i] * h[i];
    });
    const auto sums = sums_of_row<Block>(slopes, product, memory.pieces[turn][mine], lane);
    const S a = sums.of[0] * S(1.0 / C), b = sums.of[1] * S(1.0 / C);
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
  ENTRAIN_UNROLL
  for (int begin = 0; begin < 3 * C; begin += Block::threads) {  // mutant 188
    const int i = begin + thread;
    if (i >= 3 * C) break;
    S total = 0;
    ENTRAIN_UNROLL
    for (int k = 0; k < Block::rows; ++k) total += memory.of[k][i];
    parts[static_cast<std::int64_t>(blockIdx.x) * (3 * C) + i] = total;
  }
}

}  // namespace entrain::kernel::detail
