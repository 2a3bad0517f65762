// core > device, precision > tensor > [kernel] > layer
//
// How rows are cut for sums over them: by their number alone, so that the bits do not depend on the card's size.
#pragma once
#include <algorithm>

namespace entrain::kernel::detail {

/// How n rows are cut: few stretches, but none short.
struct Stretches {
  int rows, count;  // of each but the last, which may be shorter

  static constexpr Stretches of(int n, int fewest_rows, int most) {
    const int rows = std::max((n + most - 1) / most, fewest_rows);
    return {rows, (n + rows - 1) / rows};
  }
  /// Not fewer than there are of n rows, nor of fewer: of 4,097 rows there are fewer than of 4,096.
  static constexpr int room(int n, int fewest_rows, int most) {
    return std::min((n + fewest_rows - 1) / fewest_rows, most);
  }
};

}  // namespace entrain::kernel::detail
