// tests > [text]
#include "entrain/text/unicode/unicode.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <random>
#include <sstream>
#include <string>

namespace unicode_test {
using namespace entrain::text;

TEST_CASE("unicode: every code point answers as Python's unicodedata does") {
  std::ifstream golden(ENTRAIN_SOURCE_DIR "/tests/text/golden/unicode_blocks.txt");
  REQUIRE(golden.is_open());
  char32_t cp = 0;
  for (std::string line; std::getline(golden, line);) {
    if (line[0] == '#') continue;
    std::istringstream fields(line);
    int blocks = 0;
    std::uint64_t expected = 0;
    fields >> blocks >> std::hex >> expected;
    for (; blocks > 0; --blocks) {
      std::uint64_t found = 0xCBF29CE484222325u;
      const auto feed = [&](std::uint32_t value, int bytes) {
        for (; bytes > 0; --bytes, value >>= 8) found = (found ^ (value & 0xFF)) * 0x100000001B3u;
      };
      const char32_t first = cp;
      for (; cp < first + 256; ++cp) {
        std::uint32_t bits = 0, at = 0;
        for (const bool yes :
             {is_letter(cp), is_upper(cp), is_lower(cp), is_digit(cp), is_number(cp), is_punctuation(cp), is_symbol(cp),
              is_mark(cp), is_space(cp), is_format(cp), is_control(cp)})
          bits |= static_cast<std::uint32_t>(yes) << at++;
        feed(bits, 2);
        feed(static_cast<std::uint32_t>(lower(cp)) - cp, 4);
        feed(static_cast<std::uint32_t>(upper(cp)) - cp, 4);
      }
      INFO("block U+", std::hex, static_cast<std::uint32_t>(first));
      REQUIRE(found == expected);
    }
  }
  CHECK(cp == 0x110000);
}

TEST_CASE("unicode: some code points by name") {
  CHECK(is_upper(U'\u00C4'));
  CHECK(lower(U'\u00C4') == U'\u00E4');
  CHECK(lower(U'\u0130') == U'i');
  CHECK(upper(U'\u00DF') == U'\u00DF');
  CHECK(lower(U'\u1E9E') == U'\u00DF');
  CHECK(upper(U'\u1F80') == U'\u1F88');
  CHECK(is_letter(U'\u01C5'));
  CHECK(!is_upper(U'\u01C5'));
  CHECK(is_digit(U'\u00B2'));
  CHECK(class_of(U'\u00B2') == Class::number);
  CHECK(class_of(U'\u0667') == Class::digit);
  CHECK(is_space(U'\u3000'));
  CHECK(is_space(U'\u0085'));
  CHECK(!is_space(U'\u200B'));
  CHECK(!is_space(U'\x1F'));
  CHECK(class_of(U'\u00AB') == Class::quote);
  CHECK(class_of(U'\u300C') == Class::open);
  CHECK(is_pictograph(U'\U0001F600'));
  CHECK(is_pictograph(U'\u2764'));
  CHECK(!is_pictograph(U'#'));
  CHECK(is_unspaced(U'\u4E2D'));
  CHECK(is_unspaced(U'\u30AB'));
  CHECK(is_unspaced(U'\u0E01'));
  CHECK(!is_unspaced(U'\uAC00'));  // Hangul is written with spaces
  CHECK(class_of(0x110000) == Class::other);
  CHECK(lower(char32_t{0xFFFFFFFF}) == 0xFFFFFFFF);
}

TEST_CASE("unicode: lower case of a text is lower case of its code points") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string s, expected;
    for (std::size_t n = random() % 24; n > 0; --n) {
      const auto kind = random() % 8;
      const auto cp = static_cast<char32_t>(random() % (kind < 5 ? 0x80 : kind < 7 ? 0x2D00 : 0x110000));
      char bytes[4];
      s.append(bytes, encode(cp, bytes));
      if (kind == 7 && random() % 4 == 0) s.back() = '\xFF';
    }
    for (std::size_t at = 0; at < s.size();) {
      const CodePoint p = decode(s, at);
      char bytes[4];
      expected.append(bytes, encode(lower(p.cp), bytes));
      at += p.bytes;
    }
    REQUIRE(lower(s) == expected);
  }
  CHECK(lower("") == "");
  CHECK(lower("@AZ[`az{ 0123456789 QUICK BROWN FOX") == "@az[`az{ 0123456789 quick brown fox");
  CHECK(lower("STRASSE \xC3\x84\xC3\x96\xC3\x9C \xE1\xBA\x9E") == "strasse \xC3\xA4\xC3\xB6\xC3\xBC \xC3\x9F");
  CHECK(lower("\xC8\xBA") == "\xE2\xB1\xA5");  // U+023A grows from two bytes to three
  CHECK(lower("A\xFF") == "a\xEF\xBF\xBD");
}

}  // namespace unicode_test
