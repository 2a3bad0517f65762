// tests > [text]
#include "entrain/text/unicode/utf8.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace utf8_test {
using namespace entrain::text;

namespace {

// RFC 3629's grammar, spelled as ranges of bytes: an oracle that shares no arithmetic with decode().
int well_formed_length(const std::string& s) {
  const auto in = [&](std::size_t i, int low, int high) {
    return i < s.size() && static_cast<unsigned char>(s[i]) >= low && static_cast<unsigned char>(s[i]) <= high;
  };
  const auto tail = [&](std::size_t i) { return in(i, 0x80, 0xBF); };
  if (in(0, 0x00, 0x7F)) return 1;
  if (in(0, 0xC2, 0xDF) && tail(1)) return 2;
  if (in(0, 0xE0, 0xE0) && in(1, 0xA0, 0xBF) && tail(2)) return 3;
  if (in(0, 0xE1, 0xEC) && tail(1) && tail(2)) return 3;
  if (in(0, 0xED, 0xED) && in(1, 0x80, 0x9F) && tail(2)) return 3;
  if (in(0, 0xEE, 0xEF) && tail(1) && tail(2)) return 3;
  if (in(0, 0xF0, 0xF0) && in(1, 0x90, 0xBF) && tail(2) && tail(3)) return 4;
  if (in(0, 0xF1, 0xF3) && tail(1) && tail(2) && tail(3)) return 4;
  if (in(0, 0xF4, 0xF4) && in(1, 0x80, 0x8F) && tail(2) && tail(3)) return 4;
  return 0;
}

}  // namespace

TEST_CASE("utf8: every code point survives encode and decode, and surrogates do not") {
  for (char32_t cp = 0; cp <= 0x10FFFF; ++cp) {
    char bytes[4];
    const std::uint32_t n = encode(cp, bytes);
    const CodePoint back = decode(std::string_view(bytes, n), 0);
    REQUIRE(back.valid);
    REQUIRE(back.bytes == n);
    REQUIRE(n == (cp < 0x80 ? 1u : cp < 0x800 ? 2u : cp < 0x10000 ? 3u : 4u));
    REQUIRE(back.cp == (cp >= 0xD800 && cp < 0xE000 ? replacement : cp));
  }
  char bytes[4];
  CHECK(std::string_view(bytes, encode(0x110000, bytes)) == "\xEF\xBF\xBD");
}

TEST_CASE("utf8: decode agrees with the grammar of RFC 3629 on every start of one to four bytes") {
  const std::vector<int> second = {-1, 0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xFF};
  for (int a = 0; a < 256; ++a) {
    for (int b : second) {
      for (int c : second) {
        for (int d : second) {
          std::string s;
          for (int byte : {a, b, c, d}) {
            if (byte < 0) break;
            s += static_cast<char>(byte);
          }
          const CodePoint p = decode(s, 0);
          const int length = well_formed_length(s);
          REQUIRE(p.valid == (length > 0));
          REQUIRE(p.bytes == static_cast<std::uint32_t>(length > 0 ? length : 1));
          REQUIRE((p.valid || p.cp == replacement));
        }
      }
    }
  }
}

TEST_CASE("utf8: an invalid byte is one U+FFFD, counted and placed") {
  struct Case {
    std::string_view bytes;
    std::size_t code_points, invalid, first;
  };
  constexpr auto none = std::string_view::npos;
  for (const Case& c : std::vector<Case>{{"", 0, 0, none},
                                         {"plain", 5, 0, none},
                                         {"na\xC3\xAFve", 5, 0, none},
                                         {"\xC0\x80", 2, 2, 0},              // overlong NUL
                                         {"a\xE0\x80\xAF", 4, 3, 1},         // overlong slash
                                         {"\xED\xA0\x80", 3, 3, 0},          // surrogate
                                         {"\xF4\x90\x80\x80", 4, 4, 0},      // above U+10FFFF
                                         {"12345678\xE2\x82", 10, 2, 8},     // cut short at the end
                                         {"\xE2\x82\xE2\x82\xAC", 3, 2, 0},  // cut short by a good one
                                         {"\xFE\xFF\x80z", 4, 3, 0}}) {
    const Census found = census(c.bytes);
    CHECK(found.code_points == c.code_points);
    CHECK(found.invalid == c.invalid);
    CHECK(found.first_invalid == c.first);
    CHECK(is_valid_utf8(c.bytes) == (c.invalid == 0));
    std::string fixed;
    CHECK(repair_utf8(c.bytes, fixed) == c.invalid);
    CHECK(is_valid_utf8(fixed));
    CHECK(count_code_points(fixed) == c.code_points);
  }
}

TEST_CASE("utf8: ascii_run stops at the first byte above 127, wherever it is") {
  for (std::size_t n = 0; n < 40; ++n) {
    CHECK(ascii_run(std::string(n, 'x')) == n);
    for (std::size_t at = 0; at < n; ++at) {
      std::string s(n, 'x');
      s[at] = '\x80';
      CHECK(ascii_run(s) == at);
      CHECK(ascii_run(s, at + 1) == n - at - 1);
    }
  }
}

TEST_CASE("utf8: decode and encode are constant expressions") {
  static_assert(decode("\xE2\x82\xAC", 0).cp == U'\u20AC');
  static_assert([] {
    char out[4] = {};
    return encode(U'\u20AC', out) == 3 && out[0] == '\xE2';
  }());
}

}  // namespace utf8_test
