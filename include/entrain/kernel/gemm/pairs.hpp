// core > device, precision > tensor > [kernel] > layer
//
// Two bf16 numbers in one lane, as instructions that multiply bf16 read them.
#pragma once
#include <cstdint>
#include <cstring>

#include "entrain/core/pack.hpp"

namespace entrain {
namespace kernel::detail {

/// Two neighbours along the sum of a product; the bits of the later one are above those of the earlier one.
enum class Pair : std::uint32_t {};

}  // namespace kernel::detail

/// As many pairs as the widest register has floats.
template <> struct Pack<kernel::detail::Pair> {
  using Pair = kernel::detail::Pair;
  static constexpr int size = Pack<float>::size;
  using Vector = detail::Register<float>::Mask;
  Vector v;

  Pack() = default;
  explicit Pack(Pair pair) : v(static_cast<std::int32_t>(pair) - Vector{}) {}  // mutant 133
  static Pack load(const Pair* from) {
    Pack p;
    std::memcpy(&p.v, from, sizeof(Vector));
    return p;
  }
#if !ENTRAIN_BF16_PRODUCTS
  /// One half of each pair, as the bits of a float.
  Pack<float> even() const { return __builtin_bit_cast(Pack<float>::Vector, v << 16); }
  Pack<float> odd() const { return __builtin_bit_cast(Pack<float>::Vector, v & (Vector{} - 65536)); }
#endif
};

}  // namespace entrain
