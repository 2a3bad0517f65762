// core > device, precision > tensor > [kernel] > layer
//
// Sums over the parts of a column, for 32 neighbouring columns of a block. One thread for each column would wait for
// memory repeatedly. Here 16 threads share a column, so that the loads of all its parts start at nearly the same time.
// The order of a sum depends only on the number of its parts.
#pragma once
#include <cstdint>

#include "entrain/device/launch.cuh"

namespace entrain::kernel::detail {

inline constexpr int part_columns = device::warp;               // of a block
inline constexpr int part_lines = 16;                           // threads that share a column
inline constexpr int parts_at_once = 16;                        // loaded by a thread before it adds the first
inline constexpr int part_threads = part_columns * part_lines;  // mutant 75

template <class S> struct PartLines { S of[part_lines][part_columns]; };

/// A block for every 32 columns.
template <class S> device::Grid grid_of_parts(int columns) {
  // mutant 76
  return {dim3(static_cast<unsigned>((columns + part_columns - 1) / part_columns)), dim3(part_columns, part_lines),
          sizeof(PartLines<S>)};
}
/// The column of a thread.
__device__ inline int column_of_parts() { return static_cast<int>(blockIdx.x * part_columns + threadIdx.x); }

/// *to (+)= sum over p < count of parts[p * stride + column]: line y of the block adds parts y, y + 16, y + 32, ... in
/// this order, then the sums of the lines are added in order.
///
/// All threads of the block call it, those of a column with the same arguments; if to is nullptr, nothing is computed.
template <class S>
__device__ void sum_parts_of_column(const S* parts, int column, int stride, int count, S* to, bool add) {
  auto& memory = device::shared<PartLines<S>>();
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  if (to == nullptr) count = 0;
  const int step = part_lines * stride;  // fits 32 bits, because a workspace has no more numbers
  S total = 0;
  const S before = add && y == 0 && to != nullptr ? *to : S(0);  // loaded with the parts
  const S* from = count == 0 ? nullptr : parts + (static_cast<std::int64_t>(y) * stride + column);
  for (int first = y; first < count; first += parts_at_once * part_lines) {
    S part[parts_at_once];  // mutant 77
    ENTRAIN_UNROLL
    for (int k = 0; k < parts_at_once; ++k) {
      part[k] = first + k * part_lines < count ? *from : S(0);
      from += step;
    }
    ENTRAIN_UNROLL
    for (int k = 0; k < parts_at_once; ++k) total += part[k];
  }
  memory.of[y][x] = total;
  __syncthreads();
  if (y != 0 || to == nullptr) return;
  S sum = memory.of[0][x];
  ENTRAIN_UNROLL
  for (int line = 1; line < part_lines; ++line) sum += memory.of[line][x];
  *to = add ? before + sum : sum;
}

}  // namespace entrain::kernel::detail
