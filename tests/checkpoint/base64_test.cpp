// tests > [checkpoint]
#include "entrain/checkpoint/base64.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "tests/base64.hpp"

namespace base64_test {
using entrain::checkpoint::from_base64;
using test::to_base64;
constexpr std::string_view alphabet = test::base64_alphabet;

TEST_CASE("base64: the examples of RFC 4648") {
  CHECK(from_base64("") == "");
  CHECK(from_base64("Zg==") == "f");
  CHECK(from_base64("Zm8=") == "fo");
  CHECK(from_base64("Zm9v") == "foo");
  CHECK(from_base64("Zm9vYg==") == "foob");
  CHECK(from_base64("Zm9vYmE=") == "fooba");
  CHECK(from_base64("Zm9vYmFy") == "foobar");
  CHECK(from_base64("+/+/") == "\xFB\xFF\xBF");
  CHECK(from_base64("AAAA") == std::string(3, '\0'));
  CHECK(from_base64("AA==") == std::string(1, '\0'));
  CHECK(from_base64("/w==") == "\xFF");
}

TEST_CASE("base64: texts of every length modulo 4") {
  const std::string full = "Zm9vYmFyZm9v";
  for (std::size_t n = 0; n <= full.size(); ++n) {
    CAPTURE(n);
    CHECK(from_base64(full.substr(0, n)).has_value() == (n % 4 == 0));
    CHECK(!from_base64(full.substr(0, n) + "="));  // too short, or a bit that is not zero is left over
  }
  for (const char* const wrong :
       {"=", "==", "===", "====", "A===", "A=", "AA=", "AA===", "AAA==", "AAAAA===", "AAAA====", "AAAA=", "AAAA=="}) {
    CAPTURE(wrong);
    CHECK(!from_base64(wrong));
  }
}

TEST_CASE("base64: bytes that are not of its alphabet, wherever they are") {
  for (int byte = 0; byte < 256; ++byte) {
    CAPTURE(byte);
    const char c = static_cast<char>(byte);
    const bool letter = alphabet.find(c) != alphabet.npos;
    for (std::size_t at = 0; at < 8; ++at) {
      std::string text = "AAAAAAAA";
      text[at] = c;
      CHECK(from_base64(text).has_value() == (letter || (c == '=' && at == 7)));
    }
  }
  CHECK(!from_base64("Zm9v\n"));
  CHECK(!from_base64("Zm9vYg=\n"));
  CHECK(!from_base64("Zm9-"));  // the alphabet for URLs
  CHECK(!from_base64("Zm9_"));
  CHECK(!from_base64("Zg==Zg=="));  // padding in the middle
  CHECK(!from_base64("Zm8=Zm8="));
  CHECK(!from_base64("Z=9v"));
  CHECK(!from_base64("Zg=v"));
}

TEST_CASE("base64: bits that the padding leaves over are zero") {
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    CAPTURE(i);
    CHECK(from_base64(std::string("Z") + alphabet[i] + "==").has_value() == (i % 16 == 0));
    CHECK(from_base64(std::string("Zm") + alphabet[i] + "=").has_value() == (i % 4 == 0));
    CHECK(from_base64(std::string("Zm9") + alphabet[i]).has_value());
  }
}

TEST_CASE("base64: any bytes return from their text") {
  std::mt19937 random(7);
  for (std::size_t n = 0; n < 300; ++n) {
    std::string bytes(n, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    const std::string text = to_base64(bytes);
    CAPTURE(text);
    CHECK(text.size() % 4 == 0);
    CHECK(from_base64(text) == bytes);
  }
}

}  // namespace base64_test
