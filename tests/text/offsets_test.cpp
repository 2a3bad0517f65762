// tests > [text]
#include "entrain/text/records/offsets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "entrain/text/corpus/excerpt.hpp"

namespace offsets_test {
using namespace entrain::text;

namespace {

struct Counted {
  std::string text;
  std::vector<Token> words;
  // place of each code point's begin, and of the text's end, by unit
  std::map<OffsetUnit, std::vector<std::int64_t>> places;
};

/// A text of words and blanks, whose places are counted while it is put together.
Counted random_text(std::mt19937& draw, std::size_t letters) {
  struct Letter {
    const char* utf8;
    int bytes, units;
  };
  static const std::vector<Letter> all{{"a", 1, 1}, {"é", 2, 1}, {"猫", 3, 1}, {"😀", 4, 2}, {" ", 1, 1}};
  Counted c;
  std::int64_t bytes = 0, code_points = 0, units = 0;
  const auto mark = [&] {
    c.places[OffsetUnit::bytes].push_back(bytes);
    c.places[OffsetUnit::code_points].push_back(code_points);
    c.places[OffsetUnit::utf16].push_back(units);
  };
  bool inside = false;
  for (std::size_t i = 0; i < letters; ++i) {
    const Letter& l = all[draw() % all.size()];
    mark();
    const bool word = l.utf8[0] != ' ';
    const auto byte = static_cast<std::uint32_t>(bytes), cp = static_cast<std::uint32_t>(code_points);
    if (word && !inside) c.words.push_back({byte, byte, cp, cp});
    c.text += l.utf8;
    bytes += l.bytes, ++code_points, units += l.units;
    if (word) c.words.back().end = static_cast<std::uint32_t>(bytes), c.words.back().end_cp = cp + 1;
    inside = word;
  }
  mark();
  return c;
}

TEST_CASE("a walk counts bytes, code points and units, and knows what is no place") {
  std::mt19937 draw(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Counted c = random_text(draw, draw() % 20);
    for (const auto& [unit, places] : c.places) {
      CHECK(OffsetWalk(c.text).to_end(unit) == places.back());
      OffsetWalk through(c.text);
      for (std::int64_t offset = 0; offset <= places.back(); ++offset) {
        const auto found = std::lower_bound(places.begin(), places.end(), offset);
        const auto letter = static_cast<std::size_t>(found - places.begin());
        OffsetWalk fresh(c.text);
        CHECK(fresh.to(offset, unit) == (*found == offset));
        CHECK(through.to(offset, unit) == (*found == offset));
        CHECK(fresh.byte() == c.places.at(OffsetUnit::bytes)[letter]);
        CHECK(fresh.code_point() == letter);
        CHECK(through.byte() == fresh.byte());
      }
      CHECK(!OffsetWalk(c.text).to(places.back() + 1, unit));
      CHECK(!OffsetWalk(c.text).to(-1, unit));
    }
  }
}

TEST_CASE("words by their edges in each unit") {
  std::mt19937 draw(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Counted c = random_text(draw, draw() % 24);
    for (const auto& [unit, places] : c.places) {
      Edges edges;
      edges.read("😀 😀", std::vector<Token>{{0, 4, 0, 1}, {5, 9, 2, 3}}, OffsetUnit::utf16);  // is forgotten
      edges.read(c.text, c.words, unit);
      REQUIRE(edges.size() == c.words.size());
      CHECK(edges.text_end() == places.back());
      for (std::size_t w = 0; w < c.words.size(); ++w) {
        CHECK(edges.begin(w) == places[c.words[w].begin_cp]);
        CHECK(edges.end(w) == places[c.words[w].end_cp]);
        CHECK(edges.byte(edges.begin(w)) == c.words[w].begin);
        CHECK(edges.byte(edges.end(w)) == c.words[w].end);
      }
      for (std::int64_t place = -1; place <= places.back() + 1; ++place) {
        std::uint32_t after = 0, from = 0;
        while (after < c.words.size() && edges.end(after) <= place) ++after;
        while (from < c.words.size() && edges.begin(from) < place) ++from;
        CHECK(edges.first_after(place) == after);
        CHECK(edges.first_from(place) == from);
      }
      CHECK(edges.byte(-5) == 0);
      CHECK(edges.byte(places.back() + 9) == c.text.size());
    }
  }
}

TEST_CASE("words that are counted") {
  const std::string text = "Ada wrote it";
  const std::vector<Token> words{{0, 3, 0, 1}, {4, 9, 1, 2}, {10, 12, 2, 3}};
  Edges edges;
  edges.read(text, words, OffsetUnit::words);
  CHECK(edges.begin(1) == 1);
  CHECK(edges.end(1) == 2);
  CHECK(edges.text_end() == 3);
  CHECK(edges.first_after(1) == 1);
  CHECK(edges.first_from(3) == 3);
  CHECK(edges.byte(-1) == 0);
  CHECK(edges.byte(2) == 10);
  CHECK(edges.byte(3) == 12);
  edges.read("", std::span<const Token>{}, OffsetUnit::words);
  CHECK(edges.text_end() == 0);
  CHECK(edges.byte(1) == 0);
}

TEST_CASE("text in messages stays on its line, short, and shows what is invisible") {
  CHECK(excerpt("plain") == "plain");
  CHECK(excerpt("") == "");
  CHECK(excerpt("a\nb\r\tc\x1B[31m\x7F") == "a\\nb\\r\\tc<U+001B>[31m<U+007F>");
  CHECK(excerpt("x\u2028y\u200Bz\u0085") == "x<U+2028>y<U+200B>z<U+0085>");
  CHECK(excerpt("a\xFF\xC3") == "a<FF><C3>");
  CHECK(excerpt("猫猫猫", 3) == "猫猫猫");
  CHECK(excerpt("猫猫猫", 2) == "猫猫...");
  CHECK(excerpt("abc", 0) == "...");
  CHECK(excerpt_of_end("a猫b", 3) == "a猫b");
  CHECK(excerpt_of_end("a猫b", 2) == "...猫b");
  CHECK(excerpt_of_end("a\nb", 2) == "...\\nb");
  CHECK(excerpt_of_end("", 2) == "");
  CHECK(excerpt_of_end("\x80\x80\x80", 2).size() > 0);
}

}  // namespace

}  // namespace offsets_test
