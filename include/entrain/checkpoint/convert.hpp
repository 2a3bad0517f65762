// text > batch > embed > encode > head > optim > [checkpoint]
//
// Converts the numbers of a file to the number type of a composition: 16-bit floats become 32-bit ones, exactly.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "entrain/checkpoint/quote.hpp"
#include "entrain/checkpoint/safetensors.hpp"
#include "entrain/core/bf16.hpp"
#include "entrain/core/error.hpp"
#include "entrain/core/fp16.hpp"

namespace entrain::checkpoint {

namespace detail {

template <class Number>
[[noreturn]] void not_finite(const TensorView& tensor, const std::string& where, std::size_t i, Number number) {
  const std::string place = "number " + std::to_string(i) + " of tensor " + in_quotes(tensor.name) + " is ";
  if (std::isfinite(number))
    throw Error("entrain.checkpoint.67", where, place + "too large for 32 bits", "a number below 3.5e38",
                "the weights are corrupt: copy them again");
  throw Error("entrain.checkpoint.66", where, place + "not finite", "a finite number",
              "the weights are corrupt: copy them again, or train again");
}

/// Numbers stored as `Stored`: each(i, number), widened by `widen`.
template <class Stored, class Widen, class Each> void each_stored(const TensorView& tensor, Widen widen, Each&& each) {
  for (std::size_t i = 0; i < tensor.bytes.size() / sizeof(Stored); ++i) {
    Stored stored;
    std::memcpy(&stored, tensor.bytes.data() + i * sizeof(Stored), sizeof(Stored));
    each(i, widen(stored));
  }
}
/// The same for any float type of the tensor.
/// throws    entrain.checkpoint.65: the tensor holds no floats
template <class Each> void each_number(const TensorView& tensor, const std::string& where, Each&& each) {
  switch (tensor.dtype) {
    case Dtype::f64:
      return each_stored<double>(
          tensor, [](double x) { return x; }, each);
    case Dtype::f32:
      return each_stored<float>(
          tensor, [](float x) { return x; }, each);
    case Dtype::f16:
      return each_stored<fp16>(
          tensor, [](fp16 x) { return float(x); }, each);
    case Dtype::bf16:
      return each_stored<bf16>(
          tensor, [](bf16 x) { return float(x); }, each);
    default:
      throw Error("entrain.checkpoint.65", where,
                  "tensor " + in_quotes(tensor.name) + " of " + std::string(name_of(tensor.dtype)),
                  "F64, F32, F16 or BF16");
  }
}

}  // namespace detail

/// Copies the numbers of a tensor of any float type into `to`, which has space for all of them.
///
/// throws    entrain.checkpoint.65: the tensor holds no floats      .66: a number that is not finite
///           .67: a number that is not finite in T
template <class T> void copy_numbers(const TensorView& tensor, const std::string& where, T* to) {
  detail::each_number(tensor, where, [&](std::size_t i, auto number) {
    to[i] = static_cast<T>(number);
    if (!std::isfinite(to[i])) detail::not_finite(tensor, where, i, number);
  });
}

/// Refuses a tensor that is copied unchanged for the same reasons as copy_numbers.
inline void check_numbers(const TensorView& tensor, const std::string& where) {
  bool finite = true;  // one pass without a branch; a second one finds the number
  detail::each_number(tensor, where, [&](std::size_t, auto number) { finite &= std::isfinite(number); });
  if (finite) return;
  detail::each_number(tensor, where, [&](std::size_t i, auto number) {
    if (!std::isfinite(number)) detail::not_finite(tensor, where, i, number);
  });
}

}  // namespace entrain::checkpoint
