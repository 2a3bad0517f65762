// text > batch > embed > encode > head > optim > [checkpoint]
//
// Numbers of a file as the numbers of a composition: 16-bit floats become 32-bit ones, exactly.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "entrain/checkpoint/quote.hpp"
#include "entrain/checkpoint/safetensors.hpp"
#include "entrain/core/bf16.hpp"
#include "entrain/core/error.hpp"

namespace entrain::checkpoint {

/// IEEE 754 binary16: 1 sign, 5 exponent and 10 mantissa bits; every value is a float's.
inline float half_to_float(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const float size = exponent == 31  ? (mantissa == 0 ? HUGE_VALF : std::nanf(""))
                     : exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                                     : std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
  return bits >> 15 != 0 ? -size : size;
}

namespace detail {

/// Numbers stored as `Stored`, each a double by way of `widen`.
template <class Stored, class T, class Widen>
void copy_stored(const TensorView& tensor, const std::string& where, T* to, Widen&& widen) {
  for (std::size_t i = 0; i < tensor.bytes.size() / sizeof(Stored); ++i) {
    Stored stored;
    std::memcpy(&stored, tensor.bytes.data() + i * sizeof(Stored), sizeof(Stored));
    const double value = widen(stored);
    if (!std::isfinite(value))
      throw Error("entrain.checkpoint.66", where,
                  "number " + std::to_string(i) + " of tensor " + in_quotes(tensor.name) + " is not finite",
                  "a finite number", "the weights are broken: take them anew");
    to[i] = static_cast<T>(value);
  }
}

}  // namespace detail

/// The numbers of a tensor of any float type into `to`, as many as it has.
///
/// throws    entrain.checkpoint.65: the tensor holds no floats      .66: a number that is not finite
template <class T> void copy_numbers(const TensorView& tensor, const std::string& where, T* to) {
  switch (tensor.dtype) {
    case Dtype::f64:
      return detail::copy_stored<double>(tensor, where, to, [](double x) { return x; });
    case Dtype::f32:
      return detail::copy_stored<float>(tensor, where, to, [](float x) { return x; });
    case Dtype::f16:
      return detail::copy_stored<std::uint16_t>(tensor, where, to, half_to_float);
    case Dtype::bf16:
      return detail::copy_stored<bf16>(tensor, where, to, [](bf16 x) { return float(x); });
    default:
      throw Error("entrain.checkpoint.65", where,
                  "tensor " + detail::in_quotes(tensor.name) + " of " + std::string(name_of(tensor.dtype)),
                  "F64, F32, F16 or BF16");
  }
}

}  // namespace entrain::checkpoint
