// core > device, precision > [tensor] > kernel > layer
//
// Positions grouped by what they refer to: the adjoint of a look-up sums over a group, in one order, without atomics.
#pragma once
#include <cstddef>
#include <cstdint>

namespace entrain {

/// Which items belong to which distinct id, as the packer delivers it: sorted, so that a sum has one order.
///
/// ids     [count] the distinct ids, ascending            items   [starts[count]] positions, ascending inside a segment
/// starts  [count + 1] where each id's items begin
struct Segments {
  const std::int32_t* ids = nullptr;
  const std::int32_t* starts = nullptr;
  const std::int32_t* items = nullptr;
  int count = 0;

  /// f(pointer, numbers) for each array, as long as they lie where the host can read them.
  void each_array(auto&& f) {
    const auto items_count = static_cast<std::size_t>(starts != nullptr ? starts[count] : 0);
    f(ids, static_cast<std::size_t>(count));
    f(starts, static_cast<std::size_t>(count) + 1);
    f(items, items_count);
  }
};

}  // namespace entrain
