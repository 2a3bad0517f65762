// tests > [ptx]
//
// What instructions do to numbers, lane by lane: arithmetic, shifts, comparisons and what depends on them.
//
// source    PTX ISA 9.0, arithmetic, comparison, shift and logic instructions
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "tests/ptx/warp.hpp"

namespace ptx::doing {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
__extension__ using u128 = unsigned __int128;
__extension__ using s128 = __int128;

constexpr Slot nowhere = ~Slot(0);

template <class T> using Unsigned = std::make_unsigned_t<T>;
template <class T> constexpr int bits_of = static_cast<int>(8 * sizeof(T));
template <class T> using Twice =
    std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, s128, u128>,
                       std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, s64, u64>,
                                          std::conditional_t<std::is_signed_v<T>, s32, u32>>>;

// arithmetic of one, two and three numbers; whole ones go round at their ends

struct Add {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
    else
      return a + b;
  }
};
struct Subtract {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
    else
      return a - b;
  }
};
struct Multiply {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Twice<Unsigned<T>>>(a) * static_cast<Unsigned<T>>(b));
    else
      return a * b;
  }
};
struct MultiplyHigh {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b) >> bits_of<T>);
    else
      return a;
  }
};
struct Divide {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      if (b == 0) return static_cast<T>(~T(0));
      if (std::is_signed_v<T> && b == static_cast<T>(-1)) return Subtract::of(T(0), a);
    }
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      if (b == 0) return a;
      if (std::is_signed_v<T> && b == static_cast<T>(-1)) return T(0);
      return static_cast<T>(a % b);
    } else {
      return a;
    }
  }
};
struct Least {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fmin(a, b);
    else
      return std::min(a, b);
  }
};
struct Largest {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fmax(a, b);
    else
      return std::max(a, b);
  }
};
struct CopySign {  // the sign of a, all else of b
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return std::copysign(b, a);
    else
      return a;
  }
};
struct And {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(a & b);
    else
      return a;
  }
};
struct Or {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(a | b);
    else
      return a;
  }
};
struct ExclusiveOr {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(a ^ b);
    else
      return a;
  }
};
struct MultiplyAdd {
  template <class T> static T of(T a, T b, T c) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fma(a, b, c);
    else
      return Add::of(Multiply::of(a, b), c);
  }
};
struct MultiplyHighAdd {
  template <class T> static T of(T a, T b, T c) { return Add::of(MultiplyHigh::of(a, b), c); }
};
struct Same {
  template <class T> static T of(T a) { return a; }
};
struct Negative {
  template <class T> static T of(T a) {
    if constexpr (std::is_integral_v<T>)
      return Subtract::of(T(0), a);
    else
      return -a;
  }
};
struct Absolute {
  template <class T> static T of(T a) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fabs(a);
    else if constexpr (std::is_signed_v<T>)
      return a < 0 ? Negative::of(a) : a;
    else
      return a;
  }
};
struct Not {
  template <class T> static T of(T a) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(~a);
    else
      return a;
  }
};
/// Of real numbers; whole ones have none of these.
template <class F> struct Real {
  template <class T> static T of(T a) {
    if constexpr (std::is_floating_point_v<T>)
      return F::real(a);
    else
      return a;
  }
};
template <class T> T flushed(T x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(T(0), x) : x; }
struct RootOf {
  template <class T> static T real(T a) { return std::sqrt(a); }
};
struct InverseRootOf {
  template <class T> static T real(T a) { return static_cast<T>(1 / std::sqrt(static_cast<double>(a))); }
};
struct InverseOf {
  template <class T> static T real(T a) { return T(1) / a; }
};
struct InverseOfFlushed {
  template <class T> static T real(T a) { return flushed(T(1) / flushed(a)); }
};
struct PowerOfTwo {
  template <class T> static T real(T a) { return static_cast<T>(std::exp2(static_cast<double>(a))); }
};
struct PowerOfTwoFlushed {
  template <class T> static T real(T a) { return flushed(PowerOfTwo::real(flushed(a))); }
};
struct LogarithmOfTwo {
  template <class T> static T real(T a) { return static_cast<T>(std::log2(static_cast<double>(a))); }
};
struct SineOf {
  template <class T> static T real(T a) { return std::sin(a); }
};
struct CosineOf {
  template <class T> static T real(T a) { return std::cos(a); }
};
struct TangentOf {  // tanh.approx: 11 bits
  template <class T> static T real(T a) {
    float y = std::tanh(static_cast<float>(a));
    y = std::bit_cast<float>((std::bit_cast<u32>(y) + 0x800) & ~u32(0xfff));
    return static_cast<T>(y);
  }
};

template <class Op, class T> void run_one(Warp& w, const Instruction& i) {
  T* const to = w.reg<T>(i.to[0]);
  const T* const a = w.reg<T>(i.from[0]);
  each_lane(w.mask, [&](unsigned l) { to[l] = Op::of(a[l]); });
}
template <class Op, class T> void run_two(Warp& w, const Instruction& i) {
  T* const to = w.reg<T>(i.to[0]);
  const T *const a = w.reg<T>(i.from[0]), *const b = w.reg<T>(i.from[1]);
  each_lane(w.mask, [&](unsigned l) { to[l] = Op::of(a[l], b[l]); });
}
template <class Op, class T> void run_three(Warp& w, const Instruction& i) {
  T* const to = w.reg<T>(i.to[0]);
  const T *const a = w.reg<T>(i.from[0]), *const b = w.reg<T>(i.from[1]), *const c = w.reg<T>(i.from[2]);
  each_lane(w.mask, [&](unsigned l) { to[l] = Op::of(a[l], b[l], c[l]); });
}
/// mul.wide and mad.wide: twice as many bits
template <class T, bool More> void run_wide(Warp& w, const Instruction& i) {
  using W = Twice<T>;
  W* const to = w.reg<W>(i.to[0]);
  const T *const a = w.reg<T>(i.from[0]), *const b = w.reg<T>(i.from[1]);
  const W* const c = More ? w.reg<W>(i.from[2]) : nullptr;
  each_lane(w.mask, [&](unsigned l) {
    const W product = static_cast<W>(static_cast<W>(a[l]) * static_cast<W>(b[l]));
    to[l] = More ? Add::of(product, c[l]) : product;
  });
}
/// Shifts by a number of 32 bits, which is cut at the width.
template <class T, bool Left> void run_shift(Warp& w, const Instruction& i) {
  T* const to = w.reg<T>(i.to[0]);
  const T* const a = w.reg<T>(i.from[0]);
  const u32* const by = w.reg<u32>(i.from[1]);
  each_lane(w.mask, [&](unsigned l) {
    const u32 n = by[l];
    if constexpr (Left)
      to[l] = n >= bits_of<T> ? T(0) : static_cast<T>(static_cast<Unsigned<T>>(a[l]) << n);
    else
      to[l] = static_cast<T>(a[l] >> std::min<u32>(n, bits_of<T> - 1) >> (n >= bits_of<T> ? 1 : 0));
  });
}

enum Comparison { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
template <class T, int C> bool compare(T a, T b) {
  if constexpr (C == num || C == nan) {
    return (a == a && b == b) == (C == num);
  } else if constexpr (C >= equ) {
    return a != a || b != b || compare<T, C - equ>(a, b);
  } else {
    if (C == ne) return a == a && b == b && a != b;  // of real numbers: neu is true of what is no number
    return C == eq ? a == b : C == lt ? a < b : C == le ? a <= b : C == gt ? a > b : a >= b;
  }
}
enum Joint { alone, with_and, with_or, with_xor };
template <class T, int C> void run_compare(Warp& w, const Instruction& i) {
  u8* const to = w.reg<u8>(i.to[0]);
  const T *const a = w.reg<T>(i.from[0]), *const b = w.reg<T>(i.from[1]);
  if (i.choice == alone && i.to[1] == nowhere) {
    each_lane(w.mask, [&](unsigned l) { to[l] = compare<T, C>(a[l], b[l]); });
    return;
  }
  const u8* const other = i.choice == alone ? nullptr : w.reg<u8>(i.from[2]);
  const auto joined = [&](bool x, unsigned l) -> u8 {
    if (i.choice == alone) return x;
    const bool y = (other[l] != 0) != i.negated[2];
    return i.choice == with_and ? x && y : i.choice == with_or ? x || y : x != y;
  };
  each_lane(w.mask, [&](unsigned l) {
    const bool is = compare<T, C>(a[l], b[l]);
    to[l] = joined(is, l);
    if (i.to[1] != nowhere) w.reg<u8>(i.to[1])[l] = joined(!is, l);
  });
}
template <class T> void run_select(Warp& w, const Instruction& i) {
  T* const to = w.reg<T>(i.to[0]);
  const T *const a = w.reg<T>(i.from[0]), *const b = w.reg<T>(i.from[1]);
  const u8* const which = w.reg<u8>(i.from[2]);
  each_lane(w.mask, [&](unsigned l) { to[l] = (which[l] != 0) != i.negated[2] ? a[l] : b[l]; });
}

// predicates: 0 and 1

template <class Op> void run_predicates(Warp& w, const Instruction& i) {
  u8* const to = w.reg<u8>(i.to[0]);
  const u8 *const a = w.reg<u8>(i.from[0]), *const b = w.reg<u8>(i.from[1]);
  each_lane(w.mask, [&](unsigned l) {
    to[l] = Op::of(static_cast<u8>((a[l] != 0) != i.negated[0]), static_cast<u8>((b[l] != 0) != i.negated[1]));
  });
}
inline void run_not(Warp& w, const Instruction& i) {
  each_lane(w.mask, [&](unsigned l) { w.reg<u8>(i.to[0])[l] = w.reg<u8>(i.from[0])[l] == 0; });
}
inline void run_move_predicate(Warp& w, const Instruction& i) {
  each_lane(w.mask, [&](unsigned l) { w.reg<u8>(i.to[0])[l] = (w.reg<u8>(i.from[0])[l] != 0) != i.negated[0]; });
}

}  // namespace ptx::doing
