// tests > [core]
//
// All values of fp16, and what is rounded to them, against the compiler's own _Float16.
#include "entrain/core/fp16.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "entrain/core/random.hpp"

using entrain::fp16;

namespace {

fp16 with_bits(std::uint32_t bits) { return __builtin_bit_cast(fp16, static_cast<std::uint16_t>(bits)); }
_Float16 as_compiler(fp16 x) { return __builtin_bit_cast(_Float16, x); }
/// What the compiler rounds x to; the payload of a NaN does not matter.
bool same(float x) {
  const _Float16 expected = static_cast<_Float16>(x);
  const fp16 found(x);
  if (std::isnan(x)) return std::isnan(static_cast<float>(found));
  return found.bits == __builtin_bit_cast(std::uint16_t, expected);
}

}  // namespace

TEST_CASE("fp16: each of its 65,536 values is widened exactly, and narrowed to itself") {
  int wrong = 0, lost = 0, nans = 0;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const fp16 x = with_bits(bits);
    const float wide = x, expected = static_cast<float>(as_compiler(x));
    if (std::isnan(expected)) {
      ++nans;
      wrong += !std::isnan(wide) || std::signbit(wide) != std::signbit(expected);
      lost += !std::isnan(static_cast<float>(fp16(wide)));
    } else {
      wrong += __builtin_bit_cast(std::uint32_t, wide) != __builtin_bit_cast(std::uint32_t, expected);
      lost += fp16(wide).bits != bits;
    }
  }
  CHECK(wrong == 0);
  CHECK(lost == 0);
  CHECK(nans == 2 * 1023);
}

TEST_CASE("fp16: rounds to nearest even, as the compiler does") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    // Between each value and the next larger one: halfway, and one step to either side of that.
    const float low = with_bits(bits), high = with_bits((bits + 1) & 0xffff);
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    const float middle = (low + high) / 2, inf = std::numeric_limits<float>::infinity();
    for (const float x : {middle, std::nextafter(middle, inf), std::nextafter(middle, -inf)}) wrong += !same(x);
  }
  entrain::Random random(3, 7);
  for (int i = 0; i < 1'000'000; ++i) wrong += !same(__builtin_bit_cast(float, random.word()));
  CHECK(wrong == 0);
  for (const float x : {65504.0f, 65519.996f, 65520.0f, 65536.0f, 1e30f, 0x1p-24f, 0x1p-25f, 0x1.000002p-25f, 0x1p-26f,
                        0x1p-149f, 0.0f, std::numeric_limits<float>::infinity()}) {
    CHECK_MESSAGE(same(x), x);
    CHECK_MESSAGE(same(-x), -x);
  }
  CHECK(same(std::numeric_limits<float>::quiet_NaN()));
  CHECK(same(std::numeric_limits<float>::signaling_NaN()));
  CHECK(fp16(65519.996f).bits == 0x7bff);
  CHECK(fp16(65520.0f).bits == 0x7c00);
  CHECK(fp16(0x1p-25f).bits == 0);
  CHECK(fp16(0x1.8p-24f).bits == 2);
}

TEST_CASE("fp16: may be worked out while compiling") {
  static_assert(fp16(1.0f).bits == 0x3c00 && fp16(-2.0).bits == 0xc000);
  static_assert(static_cast<float>(fp16(0.1f)) == 0.0999755859375f);
  CHECK(sizeof(fp16) == 2);
}
