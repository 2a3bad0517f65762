// tests > [batch]
//
// Numbers as text: what the C library reads of it is the number, bit for bit.
#include "entrain/batch/numpy/number_text.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace number_text_test {
using namespace entrain;

namespace {

template <class T> std::string text_of(T number) {
  std::string s = "<";
  batch::append_number(s, number);
  return s.substr(1);
}

}  // namespace

TEST_CASE("numbers of every type as text") {
  CHECK(text_of(0.1f) == "0.1");
  CHECK(text_of(0.1) == "0.1");
  CHECK(text_of(-0.0) == "-0");
  CHECK(text_of(1e300) == "1e+300");
  CHECK(text_of(fp16(0.5f)) == "0.5");
  CHECK(text_of(std::int32_t{-7}) == "-7");
  CHECK(text_of(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(text_of(std::uint8_t{200}) == "200");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK(text_of(infinity) == "inf");
  CHECK(text_of(-infinity) == "-inf");
  CHECK(text_of(std::nan("")) == "nan");
  CHECK(text_of(-std::nan("")) == "nan");
  CHECK(text_of(fp16(std::numeric_limits<float>::quiet_NaN())) == "nan");
}

TEST_CASE("any bits of a float or a double come back, and every fp16") {
  std::mt19937_64 random(5);
  for (int i = 0; i < 200'000; ++i) {
    const auto bits = random();
    const double d = std::bit_cast<double>(bits);
    const float f = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (d == d) {
      const std::string text = text_of(d);
      CHECK(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)) == bits);
    }
    if (f == f) {
      const std::string text = text_of(f);
      const auto wanted = static_cast<std::uint32_t>(bits);
      CHECK(std::bit_cast<std::uint32_t>(std::strtof(text.c_str(), nullptr)) == wanted);
      CHECK(std::bit_cast<std::uint32_t>(static_cast<float>(std::strtod(text.c_str(), nullptr))) == wanted);
    }
  }
  for (std::uint32_t bits = 0; bits < 65'536; ++bits) {
    fp16 h;
    h.bits = static_cast<std::uint16_t>(bits);
    if (static_cast<float>(h) != static_cast<float>(h)) continue;
    CHECK(fp16(std::strtof(text_of(h).c_str(), nullptr)).bits == h.bits);
  }
}

}  // namespace number_text_test
