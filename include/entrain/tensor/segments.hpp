// core > device, precision > [tensor] > kernel > layer
//
// Positions grouped by what they refer to: the adjoint of a look-up sums over a group, in one order, without atomics.
#pragma once
#include <cstddef>
#include <cstdint>

#include "entrain/tensor/fill.hpp"

namespace entrain {

/// Which items belong to which distinct id, as the packer delivers it: sorted, so that a sum has one order.
///
/// ids     [count] the distinct ids, ascending; -1 behind them where a batch was filled up: no row
/// starts  [count + 1] where each id's items begin
/// items   [positions] positions, ascending inside a segment
struct Segments {
  const std::int32_t* ids = nullptr;
  const std::int32_t* starts = nullptr;
  const std::int32_t* items = nullptr;
  int count = 0, positions = 0;

  /// f(pointer, numbers, Fill) for each array. behind: what the ids of empty segments are.
  void each_array(auto&& f, Fill behind = Fill::with(-1)) {
    f(ids, static_cast<std::size_t>(count), behind);
    f(starts, static_cast<std::size_t>(count) + 1, Fill::onwards(0, positions));
    f(items, static_cast<std::size_t>(positions), Fill::with(0));
  }
  /// To so many positions, and as many segments as may be of them; those behind are empty.
  void fill(int filled_positions, int most_ids) {
    positions = filled_positions;
    count = std::min(positions, most_ids);
  }
};

}  // namespace entrain
