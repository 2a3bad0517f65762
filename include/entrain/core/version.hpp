// [core] > device, precision > tensor > kernel > layer
//
// The version of entrain. CMake reads the number here, so that it is written in one place.
#pragma once

namespace entrain {

inline constexpr const char* version = "0.2.0";

}  // namespace entrain
