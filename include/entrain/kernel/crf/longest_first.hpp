// core > device, precision > tensor > [kernel] > layer
//
// The order in which the CPU walks over sentences.
#pragma once
#include <algorithm>
#include <cstdint>

namespace entrain::kernel::detail {

/// Sorts sentences, the longest first. No template, so that it is compiled once and not for each use.
///
/// order, count      the sentences            cu      cu_seqlens
inline void longest_first(std::int32_t* order, int count, const std::int32_t* cu) {
  std::sort(order, order + count, [cu](int a, int b) {
    const int longer = cu[a + 1] - cu[a], other = cu[b + 1] - cu[b];
    return longer != other ? longer > other : a < b;  // mutant 82
  });
}

}  // namespace entrain::kernel::detail
