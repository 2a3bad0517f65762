// core > device, [precision] > tensor > kernel > layer
//
// The type of a number in each place. A policy answers one question and is checked where it is defined.
#pragma once
#include <concepts>
#include <string_view>

#include "entrain/core/bf16.hpp"
#include "entrain/core/fp16.hpp"
#include "entrain/core/tf32.hpp"
#include "entrain/precision/loss_scale.hpp"

namespace entrain {

template <class P>
concept Precision = requires {
  typename P::Weight;      // parameters as products read them
  typename P::Activation;  // values between layers
  typename P::Gradient;    // gradients of those values
  typename P::Sum;         // parameter gradients, losses, statistics
  typename P::Master;      // the optimizer's copy of the parameters
  typename P::Moment;      // the optimizer's state
  typename P::Product;     // the type to which products round their operands
  typename P::Scale;       // of the loss before backward (loss_scale.hpp)
  { P::name } -> std::convertible_to<std::string_view>;
};

template <class P> inline constexpr bool is_precision =
    Precision<P>;  // for static_assert: g++ lists a concept's requirements

namespace precision {

/// One type everywhere.
template <class T> struct Uniform {
  using Weight = T;
  using Activation = T;
  using Gradient = T;
  using Sum = T;
  using Master = T;
  using Moment = T;
  using Product = T;
  using Scale = NoScale;
};

struct Fp32 : Uniform<float> {
  static constexpr std::string_view name = "fp32";
};

/// For gradient checks and oracles.
struct Fp64 : Uniform<double> {
  static constexpr std::string_view name = "fp64";
};

/// fp32 everywhere, except that tensor cores round operands while they multiply. Attention multiplies in fp32.
struct Tf32 : Uniform<float> {
  using Product = tf32;
  static constexpr std::string_view name = "tf32";
};

/// Stored and transferred numbers have 16 bits; sums and master copies are fp32.
///
/// source    Micikevicius et al. 2018, arXiv:1710.03740, section 3
template <class T> struct Mixed : Uniform<float> {
  using Weight = T;
  using Activation = T;
  using Gradient = T;
  using Product = T;
};

struct Bf16Mixed : Mixed<bf16> {
  static constexpr std::string_view name = "bf16-mixed";
};

/// Three mantissa bits more than bf16, and an exponent so short that the loss must be scaled. The only mixed precision
/// for device::Sm75.
struct Fp16Mixed : Mixed<fp16> {
  using Scale = DynamicScale;
  static constexpr std::string_view name = "fp16-mixed";
};

static_assert(Precision<Fp32> && Precision<Fp64> && Precision<Tf32> && Precision<Bf16Mixed> && Precision<Fp16Mixed>);

}  // namespace precision
}  // namespace entrain
