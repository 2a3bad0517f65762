// [core] > device, precision > tensor > kernel > layer
//
// Which entrain this is. CMake reads the number here, so that it stands in one place.
#pragma once
#include <string_view>

namespace entrain {

inline constexpr std::string_view version = "0.1.0";

}  // namespace entrain
