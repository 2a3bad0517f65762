// core > device, precision > tensor > [kernel] > layer
//
// How rows are divided into ranges for sums: by their number alone, so that the bits do not depend on the card's size.
#pragma once
#include <algorithm>

namespace entrain::kernel::detail {

/// Divides n rows into few ranges, none of which is short.
struct RowRanges {
  int rows, count;  // of each but the last, which may have fewer rows

  static constexpr RowRanges of(int n, int fewest_rows, int most) {
    const int rows = std::max((n + most - 1) / most, fewest_rows);
    return {rows, (n + rows - 1) / rows};
  }
  /// An upper bound of the count for n rows and for any smaller number: 4,097 rows have fewer ranges than 4,096.
  static constexpr int at_most(int n, int fewest_rows, int most) {
    return std::min((n + fewest_rows - 1) / fewest_rows, most);
  }
};

}  // namespace entrain::kernel::detail
