// tests > [core]
#include "entrain/core/math.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "entrain/core/bf16.hpp"
#include "entrain/core/pack.hpp"
#include "entrain/core/random.hpp"

using namespace entrain;

namespace {
/// Distance in units of the last place of the exact result.
template <class T> double ulps(T found, long double exact) {
  const T rounded = static_cast<T>(exact);
  const T next = std::nextafter(std::abs(rounded), std::numeric_limits<T>::infinity());
  return static_cast<double>(std::abs(static_cast<long double>(found) - exact) / (next - std::abs(rounded)));
}
}  // namespace

TEST_CASE_TEMPLATE("math: exp and log within 2 ulp of the long double result", T, float, double) {
  Random random(7);
  const T span = std::is_same_v<T, float> ? T(87) : T(708);
  double worst_exp = 0, worst_log = 0;
  for (int i = 0; i < 200000; ++i) {
    const T x = (static_cast<T>(random.word()) / T(4294967296.0) * 2 - 1) * (i % 2 ? span : T(2));
    worst_exp = std::max(worst_exp, ulps(math::exp(x), std::exp(static_cast<long double>(x))));
    const T y = i % 2 ? math::exp(x) : T(1) + x / 4;
    worst_log = std::max(worst_log, ulps(math::log(y), std::log(static_cast<long double>(y))));
  }
  MESSAGE("exp ", worst_exp, " ulp, log ", worst_log, " ulp");
  CHECK(worst_exp < 2);
  CHECK(worst_log < 2);
}

TEST_CASE_TEMPLATE("math: edges", T, float, double) {
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  CHECK(math::exp(-inf) == 0);
  CHECK(math::exp(inf) == inf);
  CHECK(math::exp(T(0)) == 1);
  CHECK(math::exp(T(-1000)) == 0);
  CHECK(std::isnan(math::exp(nan)));
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  for (const Bits bits : {~Bits(0), ~Bits(0) >> 1}) {  // the second is what a GPU makes of every NaN
    CHECK(std::isnan(math::exp(std::bit_cast<T>(bits))));
    CHECK(std::isnan(math::log(std::bit_cast<T>(bits))));
  }
  CHECK(math::log(T(0)) == -inf);
  CHECK(math::log(inf) == inf);
  CHECK(math::log(T(1)) == 0);
  CHECK(std::isnan(math::log(T(-1))));
  CHECK(std::isnan(math::log(nan)));
}

TEST_CASE_TEMPLATE("math: a pack gives what a number gives", T, float, double) {
  using P = Pack<T>;
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  T in[P::size], e[P::size], l[P::size];
  for (int i = 0; i < P::size; ++i) in[i] = std::bit_cast<T>(i % 2 ? ~Bits(0) : ~Bits(0) >> 1);
  math::exp(P::load(in)).store(e);
  math::log(P::load(in)).store(l);
  for (int i = 0; i < P::size; ++i) CHECK((std::isnan(e[i]) && std::isnan(l[i])));
  for (int i = 0; i < P::size; ++i) in[i] = T(0.3) * T(i + 1);
  math::exp(P::load(in)).store(e);
  math::log(P::load(in)).store(l);
  for (int i = 0; i < P::size; ++i) {
    CHECK(ulps(e[i], std::exp(static_cast<long double>(in[i]))) < 2);
    CHECK(ulps(l[i], std::log(static_cast<long double>(in[i]))) < 2);
  }
  const P a = P::load(in), b = P(T(1));
  CHECK(max(a, b).sum() >= a.sum());
  CHECK(a.largest() == in[P::size - 1]);
  CHECK(P::load(in, 1).sum() == in[0]);
}

TEST_CASE("bf16: rounds to nearest even, keeps infinity and NaN") {
  CHECK(static_cast<float>(bf16(1.0f)) == 1.0f);
  CHECK(bf16(1.00390625f).bits == 0x3f80);  // halfway: to even
  CHECK(bf16(1.01171875f).bits == 0x3f82);  // halfway: to even, upwards
  CHECK(bf16(1.0040f).bits == 0x3f81);
  CHECK(std::isnan(static_cast<float>(bf16(std::numeric_limits<float>::quiet_NaN()))));
  CHECK(std::isinf(static_cast<float>(bf16(std::numeric_limits<float>::infinity()))));
  CHECK(std::isinf(static_cast<float>(bf16(std::numeric_limits<float>::max()))));
}

TEST_CASE("random: Philox 4x32-10 gives the published vectors") {  // Random123, kat_vectors
  using W = RandomWords<4>;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == W{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}) == W{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        W{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("random: below() is even and inside its bound") {
  Random random(1);
  int count[6] = {};
  for (int i = 0; i < 60000; ++i) ++count[random.below(6)];
  for (int c : count) CHECK(std::abs(c - 10000) < 500);
}
