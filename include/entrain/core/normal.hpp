// [core] > device, precision > tensor > kernel > layer
//
// The normal distribution, for GELU: accurate in the tail, where 1 + erf would cancel. Read core/math.hpp first.
#pragma once
#include <type_traits>

#include "entrain/core/math.hpp"

namespace entrain::math {
namespace detail {

/// e^(z^2) erfc(z) at z = 2 / t - 2, t in (0, 1], by its Chebyshev series in 2 t - 1 (Clenshaw's recurrence). The
/// coefficients are by scripts/fit_erfcx.py.
template <class S> ENTRAIN_HD S scaled_erfc(S t) {
  using T = typename Lanes<S>::Number;
  // Local, because device code may read no static array of the host.
  constexpr T c[] = {T(0.37737609962585946614),      T(0.4825091196506807191),      T(0.12232459533097704389),
                     T(0.017831149719276792596),     T(0.00032117365249439834363),  T(-0.00035039525647961568037),
                     T(-0.000022438806506203260084), T(0.000010537433119356063627), T(5.6713311326475526491e-7),
                     T(-4.2976815766658763156e-7),   T(5.1049525128651408097e-9),   T(1.889969931817960588e-8),
                     T(-2.242755529856192936e-9),    T(-6.8552543705501845771e-10), T(2.1487959525733993421e-10),
                     T(5.5154097184856739661e-12),   T(-1.3477495048063452928e-11), T(2.0863894672105997183e-12),
                     T(4.4818814451485971109e-13),   T(-2.2684175777875652202e-13), T(1.8505867519748427498e-14),
                     T(1.1509611397547721746e-14),   T(-4.0098901470712497973e-15), T(1.3982845705777131771e-16),
                     T(2.6353807721752438452e-16),   T(-7.9539876969694581239e-17)};
  constexpr int terms = std::is_same_v<T, float> ? 12 : 26;
  const S u = t * S(T(4)) - S(T(2));  // twice 2 t - 1
  S following(T(0)), sum(c[terms - 1]);
  for (int k = terms - 2; k >= 1; --k) {
    const S next = u * sum - following + S(c[k]);
    following = sum;
    sum = next;
  }
  return u * S(T(0.5)) * sum - following + S(c[0]);
}

}  // namespace detail

/// P(X <= x) and its slope, for X of mean 0 and variance 1.
template <class S> struct Normal { S below, density; };

/// below = erfc(-x / sqrt 2) / 2;   density = e^(-x^2 / 2) / sqrt(2 pi)
///
/// Worst error seen of below and of 1 - below, relative to themselves where they are above 1e-30: 4e-6 in fp32, 2e-14
/// in fp64 (e^(-x^2 / 2) carries the rounding of x^2); of GELU see tests/core/normal_test.cpp.
template <class S> ENTRAIN_HD Normal<S> normal(S x) {
  using L = detail::Lanes<S>;
  using T = typename L::Number;
  const S size = L::select(x < S(T(0)), S(T(0)) - x, x);
  const S e = exp(S(T(-0.5)) * x * x);
  const S t = S(T(2)) / (S(T(2)) + size * S(T(0.70710678118654752440)));
  const S above = S(T(0.5)) * e * detail::scaled_erfc(t);  // beyond |x|
  return {L::select(x < S(T(0)), above, S(T(1)) - above), e * S(T(0.39894228040143267794))};
}

}  // namespace entrain::math
