// core > device, precision > tensor > [kernel] > layer
//
// How small products of probabilities may become before underflow affects them: the same for every device.
#pragma once
#include <limits>

#include "entrain/core/math.hpp"

namespace entrain::kernel::detail {

/// Below this, underflow may have changed a product of probabilities by more than a rounding.
template <class T> T smallest_safe(int labels) {
  // mutant 122
  return static_cast<T>(labels) * (2 * std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon());
}
/// A product whose logarithm is above this does not underflow.
template <class T> inline constexpr T lowest_safe = math::detail::Format<T>::lowest_exp + T(1);

}  // namespace entrain::kernel::detail
