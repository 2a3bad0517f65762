// core > device, precision > [tensor] > kernel > layer
//
// Batches are padded to a few fixed sizes with rows that have no meaning, so that a device can repeat the same work.
// This file gives the sizes and the padding values.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "entrain/tensor/targets.hpp"

namespace entrain {

/// The sizes to which a batch is padded. None is above `most`, the largest that its device has memory for.
struct BucketSizes {
  int most = 0;

  /// The next multiple of a 16th to an 8th of n, and of at least 64. So there are few sizes, and few padding rows.
  int operator()(int n) const {
    int grain = 64;
    while (n > 16 * grain) grain *= 2;
    return std::max(n, std::min(most, (std::max(n, 1) + grain - 1) / grain * grain));
  }
  /// f(size) for each size up to `most`, in ascending order.
  void each(auto&& f) const {
    for (int size = 0; size < most;) f(size = (*this)(size + 1));
  }
};

/// The padding after the numbers of an array: one value, values that continue from the last number by a step, up to
/// `most`, or no_target().
struct Fill {
  std::int32_t value = 0;
  bool onward = false;
  std::int32_t most = 0;
  bool is_no_target = false;

  static constexpr Fill with(std::int32_t value) { return {value, false, 0, false}; }
  static constexpr Fill onwards(std::int32_t step, std::int32_t most) { return {step, true, most, false}; }
  static constexpr Fill with_no_target() { return {0, false, 0, true}; }

  /// Writes numbers [count, filled) of an array.
  template <class T> void operator()(T* array, std::size_t count, std::size_t filled) const {
    if (is_no_target) {
      std::fill(array + count, array + filled, no_target<T>());
    } else if constexpr (std::is_integral_v<T>) {
      std::int32_t last = count > 0 ? static_cast<std::int32_t>(array[count - 1]) : onward ? -value : 0;
      for (std::size_t i = count; i < filled; ++i) {
        last = onward ? std::min(last + value, most) : value;
        array[i] = static_cast<T>(last);
      }
    } else if constexpr (std::is_floating_point_v<T>) {  // of samples: a row that is not written could be NaN
      std::fill(array + count, array + filled, static_cast<T>(value));
    }
  }
};

}  // namespace entrain
