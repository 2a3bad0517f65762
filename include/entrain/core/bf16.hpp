// [core] > device, precision > tensor > kernel > layer
//
// A 16-bit float with fp32's exponent: storage only. Arithmetic happens after conversion to float.
#pragma once
#include <cstdint>

#include "entrain/core/config.hpp"

namespace entrain {

#if ENTRAIN_PTX >= 800
namespace detail {
// From sm_80 on a GPU has an instruction for this. It gives what bf16's formula gives, except for the payload of a NaN.
ENTRAIN_HD inline std::uint16_t narrowed_to_bf16(float x) {
  std::uint16_t to;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(to) : "f"(x));
  return to;
}
}  // namespace detail
#endif

/// bfloat16: 1 sign, 8 exponent and 7 mantissa bits. Rounds to nearest even; NaN stays NaN (quiet).
struct bf16 {
  std::uint16_t bits = 0;

  constexpr bf16() = default;
  ENTRAIN_HD constexpr explicit bf16(float x) : bits(narrow(x)) {}
  ENTRAIN_HD constexpr explicit bf16(double x) : bf16(static_cast<float>(x)) {}
  ENTRAIN_HD constexpr operator float() const {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
  }

 private:
  ENTRAIN_HD static constexpr std::uint16_t narrow(float x) {
#if ENTRAIN_PTX >= 800
    if (!__builtin_is_constant_evaluated()) return detail::narrowed_to_bf16(x);
#endif
    return round(__builtin_bit_cast(std::uint32_t, x));
  }
  ENTRAIN_HD static constexpr std::uint16_t round(std::uint32_t u) {
    if ((u & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((u >> 16) | 0x40u);
    return static_cast<std::uint16_t>((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
  }
};

}  // namespace entrain
