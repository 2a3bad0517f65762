// [core] > device, precision > tensor > kernel > layer
//
// Which entrain this is. CMake reads the number here, so that it stands in one place.
#pragma once

namespace entrain {

inline constexpr const char* version = "0.1.0";

}  // namespace entrain
