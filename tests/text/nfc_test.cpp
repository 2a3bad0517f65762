// tests > [text]
#include "entrain/text/unicode/nfc.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/text/unicode/nfc.ipp"  // detail::nfc_composed
#include "entrain/text/unicode/utf8.hpp"

namespace nfc_test {
using namespace entrain::text;

namespace {

std::string letter(char32_t cp) {
  char bytes[4];
  return {bytes, encode(cp, bytes)};
}

/// The text of code points in hexadecimal.
std::string text_of(const std::string& numbers) {
  std::string text;
  std::istringstream in(numbers);
  for (std::uint32_t cp; in >> std::hex >> cp;) text += letter(cp);
  return text;
}

std::string normalized(Nfc& nfc, const std::string& text) { return nfc.apply(text) ? nfc.text() : text; }

/// The places of a text's letters after NFC; those of a text that is not changed are counted.
std::string places_in_words(Nfc& nfc, const std::string& text) {
  std::string s;
  if (!nfc.apply(text)) {
    for (std::size_t i = 0; i < count_code_points(text); ++i) s += " " + std::to_string(i);
  } else {
    CHECK(nfc.places().size() == count_code_points(nfc.text()) + 1);
    CHECK(nfc.places().back() == count_code_points(text));
    for (std::size_t i = 0; i + 1 < nfc.places().size(); ++i) s += " " + std::to_string(nfc.places()[i]);
  }
  return s.empty() ? s : s.substr(1);
}

}  // namespace

TEST_CASE("nfc: texts and places are those of tokenizers") {
  std::ifstream golden(ENTRAIN_SOURCE_DIR "/tests/text/golden/nfc.txt");
  REQUIRE(golden.is_open());
  Nfc nfc;
  char32_t first = 0;
  int composed = 0, texts = 0;
  for (std::string line; std::getline(golden, line);) {
    if (line.starts_with("b ")) {
      std::istringstream fields(line.substr(2));
      std::uint32_t count = 0;
      std::uint64_t expected = 0;
      fields >> count >> std::hex >> expected;
      for (; count > 0; --count, first += 256) {
        std::uint64_t h = 0xCBF29CE484222325u;
        for (char32_t cp = first; cp < first + 256; ++cp) {
          if (cp >= 0xD800 && cp < 0xE000) continue;
          const std::string one = letter(cp);
          for (const std::string& text : {one, "q\u0315" + one + "\u0334", "\u09c7" + one + "\u0323"})
            if (nfc.apply(text))
              for (const char c : nfc.text()) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
        }
        CAPTURE(static_cast<std::uint32_t>(first));
        CHECK(h == expected);
      }
      continue;
    }
    if (!line.starts_with("c ") && !line.starts_with("t ")) continue;
    CAPTURE(line);
    std::istringstream fields(line.substr(2));
    std::string text, expected, places;
    std::getline(fields, text, ';'), std::getline(fields, expected, ';'), std::getline(fields, places);
    text = text_of(text), expected = text_of(expected);
    CHECK(normalized(nfc, text) == expected);
    CHECK_FALSE(nfc.apply(expected));
    if (line[0] == 'c') {
      ++composed;
      continue;
    }
    ++texts;
    CHECK(places_in_words(nfc, text) == places);
  }
  CHECK(first == 0x110000);
  CHECK(composed == 940);
  CHECK(texts == 2000);
}

TEST_CASE("nfc: where a letter is from") {
  Nfc nfc;
  const auto of = [&](const std::string& text) { return normalized(nfc, text) + ";" + places_in_words(nfc, text); };
  CHECK(of("") == ";");
  CHECK(of("plain") == "plain;0 1 2 3 4");
  CHECK(of("caf\u00e9 x") == "caf\u00e9 x;0 1 2 3 4 5");
  CHECK(of("cafe\u0301 x") == "caf\u00e9 x;0 1 2 3 5 6");
  CHECK(of("e\u0301\u0301") == "\u00e9\u0301;0 2");
  CHECK(of("e\u0301\u0323x") == "\u1eb9\u0301x;0 2 3");  // the mark keeps the second place, not its own
  CHECK(of("\u0301\u0323x") == "\u0323\u0301x;0 1 2");   // no letter before the marks
  CHECK(of("\u0344") == "\u0308\u0301;0 0");             // two marks from one
  CHECK(of("a\u0f73\u0f71") == "a\u0f71\u0f71\u0f72;0 1 2 2");
  CHECK(of("\u0958") == "\u0915\u093c;0 0");  // excluded from composition
  CHECK(of("\u212b\u0301x") == "\u01fax;0 2");
  CHECK(of("\u1100\u1161\u11a8 \uac00\u11a8 \u1161") == "\uac01 \uac01 \u1161;0 3 4 6 7");
  CHECK(of("\uac00\u11a7") == "\uac00\u11a7;0 1");  // no final consonant
  CHECK(of("\uac01\u11a8") == "\uac01\u11a8;0 1");  // it has one
  CHECK(of("\u1112\u1175\u11c2") == "\ud7a3;0");    // the last ones
  CHECK(of("\u1113\u1161") == "\u1113\u1161;0 1");
  CHECK(of("\u1100\u1176") == "\u1100\u1176;0 1");
  CHECK(of("\uac00\u11c3") == "\uac00\u11c3;0 1");
  CHECK(of("\U0001d15e\u0301") == "\U0001d157\U0001d165\u0301;0 0 1");
  CHECK(of("\U00011935\U00011930") == "\U00011935\U00011930;0 1");  // a letter of Unicode 13
}

TEST_CASE("nfc: pairs that are composed, and their neighbours") {
  using detail::nfc_composed;
  CHECK(nfc_composed('e', 0x301) == 0xE9);
  CHECK(nfc_composed('e', 0x305) == 0);
  CHECK(nfc_composed('=', 0x338) == 0x2260);
  CHECK(nfc_composed('<' - 1, 0x338) == 0);  // before the first pair
  CHECK(nfc_composed(0x10FFFF, 0x301) == 0);
  CHECK(nfc_composed(0x1100, 0x1161) == 0xAC00);
  CHECK(nfc_composed(0x1112, 0x1175) == 0xD788);
  CHECK(nfc_composed(0x10FF, 0x1161) == 0);
  CHECK(nfc_composed(0x1113, 0x1161) == 0);
  CHECK(nfc_composed(0x1100, 0x1160) == 0);
  CHECK(nfc_composed(0x1100, 0x1176) == 0);
  CHECK(nfc_composed(0xAC00, 0x11A7) == 0);
  CHECK(nfc_composed(0xAC00, 0x11A8) == 0xAC01);
  CHECK(nfc_composed(0xAC00, 0x11C2) == 0xAC1B);
  CHECK(nfc_composed(0xAC00, 0x11C3) == 0);
  CHECK(nfc_composed(0xAC01, 0x11A8) == 0);
  CHECK(nfc_composed(0xD7A4, 0x11A8) == 0);
  CHECK(detail::nfc_entry(0x2FFFF) == 0);
  CHECK(detail::nfc_entry(0x30000) == 0);
  CHECK(detail::nfc_entry(0x10FFFF) == 0);
}

TEST_CASE("nfc: a part that changes is replaced, the rest is copied") {
  Nfc nfc;
  const std::string plain(100, 'x');
  REQUIRE(nfc.apply(plain + "e\u0301" + plain + "\u212b\u00e9"));
  CHECK(nfc.text() == plain + "\u00e9" + plain + "\u00c5\u00e9");
  CHECK(nfc.places()[100] == 100);
  CHECK(nfc.places()[101] == 102);
  CHECK(nfc.places()[201] == 202);
  CHECK(nfc.places()[203] == 204);
  // Marks that might be composed, or might be moved, and are not.
  CHECK_FALSE(nfc.apply("q\u0301 \u0915\u093c \u0b95\u0bbe q\u0327\u0315 \u0e01\u0e34\u0e49 \u0939\u093f\u0928\u094d"));
}

TEST_CASE("nfc: bytes that are not UTF-8 count as one code point each") {
  Nfc nfc;
  CHECK_FALSE(nfc.apply("\xFF\x80 \xE4\xB8 \xC3"));
  REQUIRE(
      nfc.apply("\x80\x80\xC3"
                "e\u0301\xF0\x9F"));
  CHECK(nfc.text() == "\x80\x80\xC3\u00e9\xF0\x9F");
  CHECK(nfc.places() == std::vector<std::uint32_t>{0, 1, 2, 3, 5, 6, 7});
  REQUIRE(nfc.apply("\xFF\u0301\u0323"));
  CHECK(nfc.text() == "\ufffd\u0323\u0301");
  CHECK(nfc.places() == std::vector<std::uint32_t>{0, 1, 2, 3});
}

}  // namespace nfc_test
