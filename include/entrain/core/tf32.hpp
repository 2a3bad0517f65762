// [core] > device, precision > tensor > kernel > layer
//
// A tag for a way to multiply; no number is stored in it.
#pragma once

namespace entrain {

/// Products of fp32 numbers that tensor cores read as 1 sign, 8 exponent and 10 mantissa bits, and sum in fp32. Numbers
/// in memory stay fp32, bit for bit.
struct tf32 {
  static constexpr int mantissa_bits = 10;
};

}  // namespace entrain
