// core > device, precision > tensor > [kernel] > layer
//
// Which rows of its sentence a row looks at: all, or those of a window around it. Who looks at a row are the same rows,
// so that keys ask for their queries by the same words. Read contract.hpp first.
#pragma once
#include "entrain/core/config.hpp"  // ENTRAIN_HD

namespace entrain::kernel {

/// |i - j| <= Window / 2; of Window 0, all.
template <int Window> struct Band {
  static_assert(Window >= 0 && Window % 2 == 0);
  static constexpr bool whole = Window == 0;
  static constexpr int reach = Window / 2;

  /// The first row that `row` looks at, of a sentence that begins with row `begin`.
  ENTRAIN_HD static constexpr int first(int row, int begin) {
    return whole || row - reach < begin ? begin : row - reach;
  }
  /// The row behind the last one that `row` looks at, of a sentence that ends before row `end`.
  ENTRAIN_HD static constexpr int last(int row, int end) { return whole || end - row <= reach ? end : row + reach + 1; }
};

}  // namespace entrain::kernel
