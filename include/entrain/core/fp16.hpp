// [core] > device, precision > tensor > kernel > layer
//
// A 16-bit float with a longer mantissa and a shorter exponent than bf16: storage only. Arithmetic happens after
// conversion to float.
#pragma once
#include <cstdint>

#include "entrain/core/config.hpp"

namespace entrain {

#if ENTRAIN_PTX
namespace detail {
// A GPU has an instruction for each direction. It gives what fp16's formulas give, except for the payload of a NaN.
ENTRAIN_HD inline std::uint16_t narrowed(float x) {
  std::uint16_t to;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(to) : "f"(x));
  return to;
}
ENTRAIN_HD inline float widened(std::uint16_t x) {
  float to;
  asm("cvt.f32.f16 %0, %1;" : "=f"(to) : "h"(x));
  return to;
}
}  // namespace detail
#endif

/// binary16: 1 sign, 5 exponent and 10 mantissa bits. Rounds to nearest even, to subnormals too; 65520 and more become
/// infinity; NaN stays NaN (quiet).
///
/// source    IEEE 754-2019, 3.4 and 4.3.1
struct fp16 {
  std::uint16_t bits = 0;

  constexpr fp16() = default;
  ENTRAIN_HD constexpr explicit fp16(float x) : bits(narrow(x)) {}
  ENTRAIN_HD constexpr explicit fp16(double x) : fp16(static_cast<float>(x)) {}
  ENTRAIN_HD constexpr operator float() const { return widen(bits); }

 private:
  ENTRAIN_HD static constexpr std::uint16_t narrow(float x) {
#if ENTRAIN_PTX
    if (!__builtin_is_constant_evaluated()) return detail::narrowed(x);
#endif
    return round(__builtin_bit_cast(std::uint32_t, x));
  }
  ENTRAIN_HD static constexpr float widen(std::uint16_t from) {
#if ENTRAIN_PTX
    if (!__builtin_is_constant_evaluated()) return detail::widened(from);
#endif
    return __builtin_bit_cast(float, wide(from));
  }

  ENTRAIN_HD static constexpr std::uint16_t round(std::uint32_t u) {
    const std::uint32_t sign = u >> 16 & 0x8000u, size = u & 0x7fffffffu;
    if (size > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u | (size >> 13 & 0x3ffu));
    if (size >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // 2^16 and more
    if (size < 0x33000000u) return static_cast<std::uint16_t>(sign);             // less than 2^-25
    if (size < 0x38800000u)  // subnormal in fp16: whole multiples of 2^-24
      return static_cast<std::uint16_t>(sign | nearest((size & 0x7fffffu) | 0x800000u, 126 - (size >> 23)));
    return static_cast<std::uint16_t>(sign | nearest(size - (112u << 23), 13));  // exponents count from 15, not 127
  }
  /// x / 2^places, rounded to nearest even. A carry out of the mantissa raises the exponent, as it should.
  ENTRAIN_HD static constexpr std::uint32_t nearest(std::uint32_t x, std::uint32_t places) {
    return (x + (1u << (places - 1)) - 1 + (x >> places & 1u)) >> places;
  }
  ENTRAIN_HD static constexpr std::uint32_t wide(std::uint16_t from) {
    const std::uint32_t sign = static_cast<std::uint32_t>(from & 0x8000u) << 16;
    const std::uint32_t exponent = from >> 10 & 31u, mantissa = from & 0x3ffu;
    if (exponent == 0)
      return sign | __builtin_bit_cast(std::uint32_t, static_cast<float>(mantissa) * 5.9604644775390625e-8f);  // 2^-24
    return sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | mantissa << 13;
  }
};

}  // namespace entrain
