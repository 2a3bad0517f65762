// tests > [ptx]
//
// From one type of numbers to another.
//
// source    PTX ISA 9.0, cvt and mov
#pragma once
#include <cstring>

#include "tests/ptx/text.hpp"
#include "tests/ptx/values.hpp"

namespace ptx::doing {

inline float from_half(u16 bits) {
  const u32 sign = u32(bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000 | fraction << 13);
  if (exponent == 0) return std::copysign(std::ldexp(static_cast<float>(fraction), -24), std::bit_cast<float>(sign));
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}
/// To the nearest, of two as near the even one.
inline u16 to_half(float x) {
  const u32 bits = std::bit_cast<u32>(x), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
  if (size > 0x7f800000) return 0x7fff;
  if (size >= 0x477ff000) return static_cast<u16>(sign | 0x7c00);  // 65520 and more: infinite
  if (size < 0x38800000)                                           // below 2^-14: a multiple of 2^-24
    return static_cast<u16>(sign | static_cast<u32>(std::nearbyint(std::ldexp(std::bit_cast<float>(size), 24))));
  return static_cast<u16>(sign | (size + 0xfff + (size >> 13 & 1) - 0x38000000) >> 13);
}
inline float from_bf16(u16 bits) { return std::bit_cast<float>(static_cast<u32>(bits) << 16); }
inline u16 to_bf16(float x) {
  if (x != x) return 0x7fff;
  const u32 bits = std::bit_cast<u32>(x);
  return static_cast<u16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
struct Half {
  u16 bits;
};
struct Brain {
  u16 bits;
};
enum Rounding { as_is, nearest, to_zero, down, up, into_one };  // into_one: .sat, between 0 and 1
template <class R> R whole(R x, int rounding) {
  if (rounding == into_one) return std::fmin(std::fmax(x, R(0)), R(1));
  return rounding == nearest   ? std::nearbyint(x)
         : rounding == to_zero ? std::trunc(x)
         : rounding == down    ? std::floor(x)
         : rounding == up      ? std::ceil(x)
                               : x;
}
template <class D, class S> D converted(S x, int rounding) {
  if constexpr (std::is_same_v<S, Half>) {
    return converted<D>(from_half(x.bits), rounding);
  } else if constexpr (std::is_same_v<S, Brain>) {
    return converted<D>(from_bf16(x.bits), rounding);
  } else if constexpr (std::is_same_v<D, Half>) {
    return {to_half(static_cast<float>(x))};
  } else if constexpr (std::is_same_v<D, Brain>) {
    return {to_bf16(static_cast<float>(x))};
  } else if constexpr (std::is_floating_point_v<S> && std::is_integral_v<D>) {
    if (x != x) return 0;
    const S y = whole(x, rounding);
    if (y <= static_cast<S>(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
    if (y >= static_cast<S>(std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
    return static_cast<D>(y);
  } else if constexpr (std::is_floating_point_v<S> && std::is_same_v<S, D>) {
    return whole(x, rounding);
  } else {
    return static_cast<D>(x);
  }
}
/// Registers may be wider than the types that are converted: width bytes there, many here.
template <class D, class S> void run_convert(Warp& w, const Instruction& i) {
  if (i.width == sizeof(S) && i.many == sizeof(D)) {
    D* const to = w.reg<D>(i.to[0]);
    const S* const a = w.reg<S>(i.from[0]);
    each_lane(w.mask, [&](unsigned l) { to[l] = converted<D>(a[l], i.choice); });
    return;
  }
  each_lane(w.mask, [&](unsigned l) {
    S a;
    std::memcpy(&a, w.image + i.from[0] + l * i.width, sizeof a);
    const D it = converted<D>(a, i.choice);
    s64 wide = 0;
    if constexpr (std::is_integral_v<D>)
      wide = static_cast<s64>(it);
    else
      std::memcpy(&wide, &it, sizeof it);
    std::memcpy(w.image + i.to[0] + l * i.many, &wide, i.many);
  });
}
template <class D> Run conversion(Type from) {
  switch (from) {
    case Type::u8:
      return &run_convert<D, u8>;
    case Type::s8:
      return &run_convert<D, s8>;
    case Type::u16:
      return &run_convert<D, u16>;
    case Type::s16:
      return &run_convert<D, s16>;
    case Type::u32:
      return &run_convert<D, u32>;
    case Type::s32:
      return &run_convert<D, s32>;
    case Type::u64:
      return &run_convert<D, u64>;
    case Type::s64:
      return &run_convert<D, s64>;
    case Type::f16:
      return &run_convert<D, Half>;
    case Type::bf16:
      return &run_convert<D, Brain>;
    case Type::f32:
      return &run_convert<D, float>;
    case Type::f64:
      return &run_convert<D, double>;
    default:
      return nullptr;
  }
}
inline Run conversion(Type to, Type from) {
  switch (to) {
    case Type::u8:
      return conversion<u8>(from);
    case Type::s8:
      return conversion<s8>(from);
    case Type::u16:
      return conversion<u16>(from);
    case Type::s16:
      return conversion<s16>(from);
    case Type::u32:
      return conversion<u32>(from);
    case Type::s32:
      return conversion<s32>(from);
    case Type::u64:
      return conversion<u64>(from);
    case Type::s64:
      return conversion<s64>(from);
    case Type::f16:
      return conversion<Half>(from);
    case Type::bf16:
      return conversion<Brain>(from);
    case Type::f32:
      return conversion<float>(from);
    case Type::f64:
      return conversion<double>(from);
    default:
      return nullptr;
  }
}

/// mov of several registers into one, and of one into several: the first has the lowest bits.
inline void run_pack(Warp& w, const Instruction& i) {
  each_lane(w.mask, [&](unsigned l) {
    std::byte* to = w.image + i.to[0] + l * i.many * i.width;
    for (std::size_t k = 0; k < i.many; ++k) std::memcpy(to + k * i.width, w.image + i.from[k] + l * i.width, i.width);
  });
}
inline void run_unpack(Warp& w, const Instruction& i) {
  each_lane(w.mask, [&](unsigned l) {
    const std::byte* from = w.image + i.from[0] + l * i.many * i.width;
    for (std::size_t k = 0; k < i.many; ++k)
      if (i.to[k] != nowhere) std::memcpy(w.image + i.to[k] + l * i.width, from + k * i.width, i.width);
  });
}

}  // namespace ptx::doing
