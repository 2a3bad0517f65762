// [core] > device, precision > tensor > kernel > layer
//
// The normal distribution, for GELU: accurate in the tail, where 1 + erf would cancel. Read core/math.hpp first.
#pragma once
#include <type_traits>

#include "entrain/core/math.hpp"

namespace entrain::math {
namespace detail {

/// e^(z^2) erfc(z) at z = 2 / t - 2, t in (0, 1]: its truncated Chebyshev series in u = 2 t - 1, by powers of u
/// (Horner). scripts/generate/fit_erfcx.py computes the coefficients.
template <class S> ENTRAIN_HD S scaled_erfc(S t) {
  using T = typename Lanes<S>::Number;
  const S u = t + t - S(T(1));
  // Local, because device code cannot read a static array of the host.
  if constexpr (std::is_same_v<T, float>) {
    constexpr float c[] = {0.2553956788f,   0.4271858564f,     0.2416580099f,     0.07897833037f,
                           0.003735151249f, -0.006995460887f,  -0.0008575103384f, 0.0009751637317f,
                           6.605869928e-5f, -0.0001632422016f, 2.613735687e-6f,   1.93532921e-5f};
    return polynomial<11>(c, u);
  } else {
    constexpr double c[] = {
        0.25539567631050574673,      0.42718584741395855534,     0.24165819424246527799,     0.078978581015713549777,
        0.0037328924044125547873,    -0.0069974617385902458155,  -0.00084714325366898089641, 0.00098197701841802553824,
        0.000043555658192899732053,  -0.00017436112210496297699, 0.000027524688900842000522, 0.000027579797175251861626,
        -0.000013960611700674973936, -1.3912417294674550317e-6,  3.7466307386723944666e-6,   -1.1991900245318565837e-6,
        -4.0526076461111921897e-7,   5.1260048595561224325e-7,   -1.5211877157943864341e-7,  -7.7906121144927717544e-8,
        9.0772627109514873635e-8,    -1.4239566954702599253e-8,  -2.1673654878820022408e-8,  8.9268436600886849907e-9,
        2.2107176228515427922e-9,    -1.3344576965339914435e-9};
    return polynomial<25>(c, u);
  }
}

}  // namespace detail

/// P(X <= x) and its slope, for X of mean 0 and variance 1.
template <class S> struct Normal { S below, density; };

/// below = erfc(-x / sqrt 2) / 2;   density = e^(-x^2 / 2) / sqrt(2 pi)
///
/// Worst relative error seen of below and of 1 - below, where they are above 1e-30: 4e-6 in fp32, 2e-14 in fp64
/// (e^(-x^2 / 2) carries the rounding of x^2). For GELU see tests/core/normal_test.cpp.
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
