// core > device, precision > [tensor] > kernel > layer
//
// Positions grouped by the id that they refer to. The adjoint of a look-up sums over a group, in one order, without
// atomics.
#pragma once
#include <cstddef>
#include <cstdint>

#include "entrain/tensor/fill.hpp"

namespace entrain {

/// The items of each distinct id, as the packer delivers them: sorted, so that a sum has one order.
///
/// ids     [count] the distinct ids, ascending; in a padded batch followed by -1, which means no row
/// starts  [count + 1] where the items of each id begin
/// items   [positions] positions, ascending inside a segment
struct CsrIndex {
  const std::int32_t* ids = nullptr;
  const std::int32_t* starts = nullptr;
  const std::int32_t* items = nullptr;
  int count = 0, positions = 0;

  /// f(pointer, numbers, Fill) for each array. `after`: the padding value of the ids.
  void each_array(auto&& f, Fill after = Fill::with(-1)) {
    f(ids, static_cast<std::size_t>(count), after);
    f(starts, static_cast<std::size_t>(count) + 1, Fill::onwards(0, positions));
    f(items, static_cast<std::size_t>(positions), Fill::with(0));
  }
  /// Pads to `filled_positions` positions, and to as many segments as these can have; the added segments are empty.
  void fill(int filled_positions, int most_ids) {
    positions = filled_positions;
    count = std::min(positions, most_ids);
  }
};

using Segments [[deprecated("entrain: the name is CsrIndex")]] = CsrIndex;

}  // namespace entrain
