// [core] > device, precision > tensor > kernel > layer
//
// Functions between two products, each with its slope. They are policies of a feed-forward layer, written for a number
// or a pack.
#pragma once
#include <string_view>

#include "entrain/core/math.hpp"
#include "entrain/core/normal.hpp"

namespace entrain::act {

/// A function's value and its slope at the same place.
template <class S> struct Point { S value, slope; };

/// gelu(x) = x Phi(x), where Phi is the normal distribution;   slope Phi(x) + x phi(x)
/// source    Hendrycks, Gimpel 2016, arXiv:1606.08415, section 2
struct Gelu {
  static constexpr std::string_view name = "gelu";
  template <class S> ENTRAIN_HD static Point<S> at(S x) {
    const auto n = math::normal(x);
    return {x * n.below, n.below + x * n.density};
  }
};

/// gelu_tanh(x) = x (1 + tanh u) / 2 = x / (1 + e^(-2u)),   u = sqrt(2 / pi) (x + 0.044715 x^3)
/// source    the same, section 2
struct GeluTanh {
  static constexpr std::string_view name = "gelu_pytorch_tanh";
  /// With g = 1 / (1 + e^(-2u)):   x g, and g + x g (1 - g) 2 du/dx
  template <class S> ENTRAIN_HD static Point<S> at(S x) {
    using T = typename math::detail::Lanes<S>::Number;
    constexpr double factor = 0.79788456080286535588, cubic = 0.044715;  // sqrt(2 / pi)
    const S square = x * x;
    const S g = S(T(1)) / (S(T(1)) + math::exp(S(T(-2 * factor)) * (x + S(T(cubic)) * square * x)));
    return {x * g, g + x * g * (S(T(1)) - g) * (S(T(2 * factor)) + S(T(6 * factor * cubic)) * square)};
  }
};

/// relu(x) = max(x, 0);   slope 1 where x > 0, else 0
struct Relu {
  static constexpr std::string_view name = "relu";
  template <class S> ENTRAIN_HD static Point<S> at(S x) {
    using L = math::detail::Lanes<S>;
    using T = typename L::Number;
    return {L::select(x > S(T(0)), x, S(T(0))), L::select(x > S(T(0)), S(T(1)), S(T(0)))};
  }
};

/// tanh(x) = 1 - 2 / (1 + e^(2x));   slope 1 - tanh(x)^2
struct Tanh {
  static constexpr std::string_view name = "tanh";
  template <class S> ENTRAIN_HD static Point<S> at(S x) {
    using T = typename math::detail::Lanes<S>::Number;
    const S one(T(1)), value = one - S(T(2)) / (one + math::exp(S(T(2)) * x));
    return {value, one - value * value};
  }
};

}  // namespace entrain::act
