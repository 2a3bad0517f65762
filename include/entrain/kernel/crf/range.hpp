// core > device, precision > tensor > [kernel] > layer
//
// How far products of probabilities may fall before underflow shows: every device asks the same.
#pragma once
#include <limits>

#include "entrain/core/math.hpp"

namespace entrain::kernel::detail {

/// Below this a product of probabilities may have lost more than a rounding to underflow.
template <class T> T smallest_safe(int labels) {
  return static_cast<T>(labels) * (2 * std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon());
}
/// No product underflows whose logarithm is above this.
template <class T> inline constexpr T lowest_safe = math::detail::Format<T>::lowest_exp + T(1);

}  // namespace entrain::kernel::detail
