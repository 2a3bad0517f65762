// [core] > device, precision > tensor > kernel > layer
//
// Elementwise maths, written once for a number or a pack, on the host or a device. So speed does not depend on the C
// library, and two compilers agree to the last bits.
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

#include "entrain/core/config.hpp"

namespace entrain::math {

/// A constant, because device code may not call functions of std::numeric_limits.
template <class T> inline constexpr T infinity = std::numeric_limits<T>::infinity();

namespace detail {

/// The types and operations that the formulas below need of S, a number or a pack of numbers.
template <class S> struct Lanes {  // a pack
  using Number = std::remove_cvref_t<decltype(S{}.v[0])>;
  using Mask = typename S::Mask;
  using Integers = typename S::Mask;
  static S select(Mask m, S a, S b) { return m ? a.v : b.v; }
  static Integers bits(S x) { return __builtin_bit_cast(Integers, x.v); }
  static S number(Integers i) { return __builtin_bit_cast(typename S::Vector, i); }
  static S convert(Integers i) { return __builtin_convertvector(i, typename S::Vector); }
};
template <class T> struct Scalar {
  using Number = T;
  using Mask = bool;
  using Integers = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  ENTRAIN_HD static T select(bool m, T a, T b) { return m ? a : b; }
  ENTRAIN_HD static Integers bits(T x) { return __builtin_bit_cast(Integers, x); }
  ENTRAIN_HD static T number(Integers i) { return __builtin_bit_cast(T, i); }
  ENTRAIN_HD static T convert(Integers i) { return static_cast<T>(i); }
};
template <> struct Lanes<float> : Scalar<float> {};
template <> struct Lanes<double> : Scalar<double> {};

template <class T> struct Format;
template <> struct Format<float> {
  static constexpr int mantissa_bits = 23, bias = 127;
  static constexpr float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;  // their sum is ln 2; high has 9 bits
  static constexpr float round = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer, in the low bits
  static constexpr float lowest_exp = -87.3f, highest_exp = 88.7f;
  static constexpr int exp_terms = 7, log_terms = 4;
};
template <> struct Format<double> {
  static constexpr int mantissa_bits = 52, bias = 1023;
  static constexpr double ln2_high = 0.693145751953125, ln2_low = 1.42860682030941723212e-6;
  static constexpr double round = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr double lowest_exp = -708.3, highest_exp = 709.7;
  static constexpr int exp_terms = 13, log_terms = 10;
};

/// sum_k c[k] x^k, k to Degree
template <int Degree, class S, class T> ENTRAIN_HD S polynomial(const T* c, S x) {
  S sum(c[Degree]);
  ENTRAIN_UNROLL
  for (int k = Degree - 1; k >= 0; --k) sum = S(c[k]) + sum * x;
  return sum;
}

}  // namespace detail

/// e^x. Zero below the smallest normal result (x < -87.3 in fp32), infinity above the largest (x > 88.7); NaN stays
/// NaN. Worst error seen: 0.9 units in the last place (tests/core/math_test.cpp).
///
///   x = n ln 2 + r, |r| <= ln 2 / 2;   e^x = 2^n sum_k r^k / k!
template <class S> ENTRAIN_HD S exp(S x) {
  using L = detail::Lanes<S>;
  using T = typename L::Number;
  using F = detail::Format<T>;
  const S lowest(F::lowest_exp), highest(F::highest_exp);
  const S above = L::select(x < lowest, lowest, x), clamped = L::select(above > highest, highest, above);
  const S shifted = clamped * S(T(1.4426950408889634)) + S(F::round);
  const S n = shifted - S(F::round);
  const S r = (clamped - n * S(F::ln2_high)) - n * S(F::ln2_low);
  // 1 / k!; local, because device code cannot read a static array of the host
  constexpr T c[] = {1,
                     1,
                     T(1) / 2,
                     T(1) / 6,
                     T(1) / 24,
                     T(1) / 120,
                     T(1) / 720,
                     T(1) / 5040,
                     T(1) / 40320,
                     T(1) / 362880,
                     T(1) / 3628800,
                     T(1) / 39916800,
                     T(1) / 479001600,
                     T(1) / 6227020800};
  // n is in the lowest bits of `shifted` and is added to the exponent: between the clamps e^x is a normal number.
  const S y = L::number(L::bits(detail::polynomial<F::exp_terms>(c, r)) + (L::bits(shifted) << F::mantissa_bits));
  // NaN has different bits on each CPU, so n must not be added to them. NaN is not <= highest, so the
  // result is x + infinity.
  return L::select(x <= highest, L::select(x < lowest, S(T(0)), y), x + S(infinity<T>));
}

/// ln x for normal x > 0; -infinity at 0 and below the smallest normal number, infinity at infinity, NaN below 0.
/// Worst error seen: 2 units in the last place.
///
///   x = 2^e m, sqrt(1/2) <= m < sqrt(2);   s = (m - 1) / (m + 1);   ln x = e ln 2 + 2 sum_k s^(2k+1) / (2k+1)
template <class S> ENTRAIN_HD S log(S x) {
  using L = detail::Lanes<S>;
  using T = typename L::Number;
  using F = detail::Format<T>;
  using I = typename L::Integers;
  const I half = L::bits(S(T(0.70710678118654752440)));
  const I bits = L::bits(x) - half;  // the exponent changes where m passes sqrt(1/2)
  const I e = bits >> F::mantissa_bits;
  const S m = L::number(L::bits(x) - (e << F::mantissa_bits));
  const S f = m - S(T(1));
  const S s = f / (m + S(T(1)));
  const S z = s * s;
  S sum = S(T(1) / T(2 * F::log_terms + 1));
  ENTRAIN_UNROLL
  for (int k = F::log_terms - 1; k >= 1; --k) sum = S(T(1) / T(2 * k + 1)) + z * sum;
  const S n = L::convert(e);
  // 2 s = f - s f: exact where f is small.
  const S y = n * S(F::ln2_high) + (n * S(F::ln2_low) + (f - s * (f - (z * sum) * S(T(2)))));
  constexpr T none = std::numeric_limits<T>::quiet_NaN(), least = std::numeric_limits<T>::min();
  const S special = L::select(x < S(T(0)), S(none), S(-infinity<T>));
  const S finite = L::select(x < S(least), special, y);
  return L::select(x == S(infinity<T>), x, L::select(x == x, finite, x));
}

}  // namespace entrain::math
