// core > device, precision > tensor > [kernel] > layer
//
// The rows of its sentence that a row attends to: all, or those of a window around it. The relation is symmetric: the
// same rows attend to that row, so kernels that walk over keys find their queries with the same functions. Read
// contract.hpp first.
#pragma once
#include "entrain/core/config.hpp"  // ENTRAIN_HD

namespace entrain::kernel {

/// |i - j| <= Window / 2; Window 0: all rows.
template <int Window> struct Band {
  static_assert(Window >= 0 && Window % 2 == 0);
  static constexpr bool whole = Window == 0;
  static constexpr int reach = Window / 2;

  /// The first row that `row` attends to, in a sentence that begins with row `begin`.
  ENTRAIN_HD static constexpr int first(int row, int begin) {
    return whole || row - reach < begin ? begin : row - reach;  // mutant 21
  }
  /// The row after the last one that `row` attends to, in a sentence that ends before row `end`.
  ENTRAIN_HD static constexpr int last(int row, int end) { return whole || end - row <= reach ? end : row + reach + 1; }
};

}  // namespace entrain::kernel
