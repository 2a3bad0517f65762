// tests > [cuda_on_cpu]
//
// GELU of 16 bits against erfc in long double, over every number that such a type has.
#include "entrain/kernel/activation/fast_gelu.cuh"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "entrain/core/bf16.hpp"
#include "entrain/core/fp16.hpp"

namespace fast_gelu_test {
using namespace entrain;

namespace {

struct Errors {
  double value = 0, slope = 0;  // of itself, and absolute
};
template <class T> Errors worst() {
  Errors most;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto x = static_cast<float>(__builtin_bit_cast(T, static_cast<std::uint16_t>(bits)));
    if (!std::isfinite(x)) continue;
    const auto wide = static_cast<long double>(x);
    const long double below = erfcl(-wide / sqrtl(2)) / 2;
    const long double value = wide * below, slope = below + wide * expl(-wide * wide / 2) / sqrtl(2 * acosl(-1));
    const auto found = kernel::detail::fast_gelu(x);
    const double small = std::max(std::abs(static_cast<double>(value)), 0x1p-100);
    most.value = std::max(most.value, std::abs(static_cast<double>(found.value - value)) / small);
    most.slope = std::max(most.slope, std::abs(static_cast<double>(found.slope - slope)));
    const auto chosen = kernel::detail::point<act::Gelu, T>(x);
    CHECK((chosen.value == found.value && chosen.slope == found.slope));
  }
  return most;
}

}  // namespace

TEST_CASE("GELU of 16 bits is right to less than a bit that they have, for every number") {
  const Errors of_bf16 = worst<bf16>(), of_fp16 = worst<fp16>();
  CHECK(std::max(of_bf16.value, of_fp16.value) < 1.52e-5);
  CHECK(std::max(of_bf16.slope, of_fp16.slope) < 5e-6);
}

TEST_CASE("GELU of 16 bits far out: no NaN but that of a NaN") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float x : {-infinity, -3e38f, -65504.0f, -40.0f}) {
    const auto at = kernel::detail::fast_gelu(x);
    CHECK(at.value == 0);
    CHECK(at.slope == 0);
  }
  for (const float x : {infinity, 3e38f, 65504.0f, 40.0f}) {
    const auto at = kernel::detail::fast_gelu(x);
    CHECK(at.value == x);
    CHECK(at.slope == 1);
  }
  const auto at = kernel::detail::fast_gelu(std::nanf(""));
  CHECK(std::isnan(at.value));
  CHECK(std::isnan(at.slope));
  CHECK(kernel::detail::fast_gelu(0.0f).value == 0);
}

TEST_CASE("GELU of fp32 is the exact one") {
  const auto exact = act::Gelu::at(0.7f), found = kernel::detail::point<act::Gelu, float>(0.7f);
  CHECK((found.value == exact.value && found.slope == exact.slope));
}

}  // namespace fast_gelu_test
