// core > device, precision > tensor > [kernel] > layer
//
// Sums over the rows of a batch, for each column: gradients of biases and gains. The rows are divided into ranges by
// their number alone. A block sums a range of rows for the columns of 32 lanes; each lane holds as many neighbouring
// columns as one load returns. A second kernel adds the ranges, in the order of part_sums.cuh. So the bits do not
// depend on the card's size, and no two threads add to one number.
#pragma once
#include <cstddef>
#include <cstdint>

#include "entrain/core/contract.hpp"
#include "entrain/device/cuda.cuh"
#include "entrain/device/launch.cuh"
#include "entrain/device/vector_load.cuh"
#include "entrain/kernel/bias/part_sums.cuh"
#include "entrain/kernel/bias/ranges.hpp"

namespace entrain::kernel::detail {

inline constexpr int sum_columns = device::warp, sum_rows = 8;  // of a block of threads
inline constexpr int most_ranges = 256;
inline constexpr int rows_in_flight = 4;  // of a thread, where enough rows are left: no branch between their loads

/// The sums of a range of rows: K sums for each column.
template <class S, int K, int Few> struct ColumnParts { S of[K][sum_rows][sum_columns * Few]; };
template <class S, int K> struct ColumnResults {
  S* of[K];  // nullptr: not computed
};

/// parts[range, k, c] = sum over the range's rows n of term k at [n, c]
///
/// Terms     for `few` neighbouring columns, which divides their number: `void operator()(int row, int column, S
///           (&sum)[K][few]) const` adds the terms of a row
template <int K, class S, class Terms> __global__ void __launch_bounds__(sum_columns* sum_rows)
    sum_range(Terms terms, S* parts, int n, int columns, int rows) {
  constexpr int few = Terms::few, width = sum_columns * few;
  auto& memory = device::shared<ColumnParts<S, K, few>>();
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int begin = static_cast<int>(blockIdx.x) * width, column = begin + x * few;
  const int first = static_cast<int>(blockIdx.y) * rows, last = first + rows < n ? first + rows : n;  // mutant 64
  S sum[K][few] = {};
  if (column < columns) {
    int row = first + y;
    for (; row + (rows_in_flight - 1) * sum_rows < last; row += rows_in_flight * sum_rows) {  // mutant 65
      ENTRAIN_UNROLL
      for (int k = 0; k < rows_in_flight; ++k) terms(row + k * sum_rows, column, sum);
    }
    for (; row < last; row += sum_rows) terms(row, column, sum);
  }
  ENTRAIN_UNROLL
  for (int k = 0; k < K; ++k) {
    device::Few<S, few> kept;
    ENTRAIN_UNROLL
    for (int i = 0; i < few; ++i) kept.of[i] = sum[k][i];
    kept.store(memory.of[k][y] + x * few);
  }
  __syncthreads();
  for (int at = y * sum_columns + x; at < K * width; at += sum_rows * sum_columns) {
    const int k = at / width, c = at % width;
    if (begin + c >= columns) continue;
    S total = 0;
    for (int i = 0; i < sum_rows; ++i) total += memory.of[k][i][c];
    parts[(static_cast<std::int64_t>(blockIdx.y) * K + k) * columns + begin + c] = total;
  }
}

/// g.of[k][c] (+)= sum over ranges of parts[range, k, c], in the order of sum_parts_of_column
template <int K, class S> __global__ void __launch_bounds__(part_threads)
    sum_ranges(const S* parts, ColumnResults<S, K> g, int columns, int ranges, Write how) {
  const int at = column_of_parts(), k = at / columns;
  S* to = nullptr;  // selected by comparison: an index would move the pointers into memory
  ENTRAIN_UNROLL
  for (int i = 0; i < K; ++i)
    if (i == k && g.of[i] != nullptr) to = g.of[i] + at % columns;
  sum_parts_of_column(parts, at, K * columns, ranges, to, how == Write::add);
}

/// The second kernel alone: parts [ranges, K, columns] are in device memory.
template <int K, class D, class S>
void add_ranges(const D& dev, const S* parts, ColumnResults<S, K> g, int columns, int ranges, Write how) {
  device::launch(dev.stream(), grid_of_parts<S>(K * columns), sum_ranges<K, S>, parts, g, columns, ranges, how);
}

/// g.of[k][c] (+)= sum over n rows of term k; a missing row adds only zero.
template <int K, class D, class S, class Terms>
void column_sums(const D& dev, const Terms& terms, int n, int columns, ColumnResults<S, K> g, Write how) {
  const auto [rows, ranges] = RowRanges::of(n, sum_rows, most_ranges);
  constexpr int width = sum_columns * Terms::few;
  const int tiles = (columns + width - 1) / width;         // mutant 66
  S* const parts = reinterpret_cast<S*>(dev.workspace());  // at most 256 x K x columns numbers
  device::launch(dev.stream(),
                 {dim3(static_cast<unsigned>(tiles), static_cast<unsigned>(ranges)), dim3(sum_columns, sum_rows),
                  sizeof(ColumnParts<S, K, Terms::few>)},
                 sum_range<K, S, Terms>, terms, parts, n, columns, rows);
  add_ranges(dev, parts, g, columns, ranges, how);
}

}  // namespace entrain::kernel::detail
