// core > device, [precision] > tensor > kernel > layer
//
// Which type a number has at each place. A policy answers one question and is checked where it is defined.
#pragma once
#include <concepts>
#include <string_view>

#include "entrain/core/bf16.hpp"

namespace entrain {

template <class P>
concept Precision = requires {
  typename P::Weight;      // parameters as products read them
  typename P::Activation;  // values between layers
  typename P::Gradient;    // gradients of those values
  typename P::Sum;         // parameter gradients, losses, statistics
  typename P::Master;      // the optimizer's copy of the parameters
  typename P::Moment;      // the optimizer's state
  { P::name } -> std::convertible_to<std::string_view>;
};

namespace precision {

/// One type everywhere.
template <class T> struct Uniform {
  using Weight = T;
  using Activation = T;
  using Gradient = T;
  using Sum = T;
  using Master = T;
  using Moment = T;
};

struct Fp32 : Uniform<float> {
  static constexpr std::string_view name = "fp32";
};

/// For gradient checks and oracles.
struct Fp64 : Uniform<double> {
  static constexpr std::string_view name = "fp64";
};

/// Numbers travel small, sums and master copies stay exact.
struct Bf16Mixed : Uniform<float> {
  using Weight = bf16;
  using Activation = bf16;
  using Gradient = bf16;
  static constexpr std::string_view name = "bf16-mixed";
};

static_assert(Precision<Fp32> && Precision<Fp64> && Precision<Bf16Mixed>);

}  // namespace precision
}  // namespace entrain
