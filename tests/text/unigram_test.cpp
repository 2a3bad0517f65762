// tests > [text]
#include "entrain/text/tokenizer/unigram.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/scratch.hpp"
#include "tests/text/pieces_in_words.hpp"

namespace unigram_test {
using namespace entrain::text;
using test::from_hex;
using test::has;
using test::in_words;
using test::read;
using test::sentence;

TEST_CASE("unigram: ids and offsets are those of tokenizers") {
  std::ifstream golden(ENTRAIN_SOURCE_DIR "/tests/text/golden/unigram.txt");
  REQUIRE(golden.is_open());
  std::vector<std::string> vocabulary;
  std::vector<double> scores;
  UnigramOptions options;
  std::unique_ptr<Unigram> made;
  int cases = 0;
  for (std::string line; std::getline(golden, line);) {
    std::istringstream fields(line.substr(std::min<std::size_t>(2, line.size())));
    if (line[0] == '#') continue;
    if (line.starts_with("c ")) {
      options.precompiled_charsmap = from_hex(line.substr(2));
    } else if (line.starts_with("v ")) {
      std::string score, piece;
      fields >> score;
      std::getline(fields.ignore(1), piece);
      scores.push_back(std::strtod(score.c_str(), nullptr));
      vocabulary.push_back(piece);
    } else if (line.starts_with("a ")) {
      options.added.push_back(test::added_piece(fields));
    } else if (line.starts_with("o ")) {
      const auto set = [&](char flag) { return line.find(flag, 2) != line.npos; };
      options.whitespace_split = set('w'), options.two_spaces = set('j') ? " " : "";
      options.strip_left = set('l'), options.strip_right = set('r');
      made = std::make_unique<Unigram>(vocabulary, scores, options);
    } else {
      REQUIRE(made);
      const std::size_t end = std::min(line.find(' '), line.size());
      const std::string hex = line.substr(0, end), expected = line.substr(std::min(end + 1, line.size()));
      CAPTURE(hex);
      CHECK(read(*made, from_hex(hex)) == expected);
      ++cases;
    }
  }
  CHECK(cases == 1200);
}

namespace {
const std::string m(Unigram::mark);
using Scored = std::vector<std::pair<std::string, double>>;
/// <unk> with id 0, then these pieces.
Unigram of(const Scored& pieces, UnigramOptions options = {}) {
  std::vector<std::string> vocabulary{"<unk>"};
  std::vector<double> scores{0};
  for (const auto& [piece, score] : pieces) vocabulary.push_back(piece), scores.push_back(score);
  return {std::move(vocabulary), std::move(scores), std::move(options), "here"};
}
UnigramOptions metaspace_alone(bool UnigramOptions::*rule = nullptr, const std::string& two_spaces = "") {
  UnigramOptions options;
  options.whitespace_split = false;
  options.two_spaces = two_spaces;
  if (rule != nullptr) options.*rule = true;
  return options;
}
}  // namespace

TEST_CASE("unigram: the largest sum of scores; of equals, that whose last piece begins first") {
  const Scored pieces{{m, -1}, {"a", -2}, {"b", -2}, {"c", -2}, {"ab", -4}, {"bc", -3.5}, {m + "a", -3.25}};
  const Unigram u = of(pieces);
  CHECK(read(u, "ab") == "1:0-1 5:0-2");               // mark, ab: -5; mark, a, b: -5; with the mark on a: -5.25
  CHECK(read(u, "abc") == "1:0-1 2:0-1 6:1-3");        // -6.5; with the mark on a: -6.75; mark, ab, c: -7
  CHECK(read(u, "a") == "1:0-1 2:0-1");                // -3 and -3.25
  CHECK(read(u, "a b") == "1:0-1 2:0-1 1:2-3 3:2-3");  // the mark has the place of the word's first code point
  CHECK(read(u, "") == "");
  CHECK(read(u, "  ") == "");
  CHECK(read(u, "\t a\n\r\nb ") == "1:2-3 2:2-3 1:6-7 3:6-7");
  const Unigram marked = of({{m + "a", -1}, {"b", -1}, {m, -1}});
  CHECK(read(marked, "ab") == "1:0-1 2:1-2");
  CHECK(read(marked, m + "a") == "1:0-2");  // a mark in a text is no other one
  CHECK(read(marked, "b" + m + "a") == "3:0-1 2:0-1 1:1-3");
  CHECK(read(marked, m + m + "b") == "3:0-1 3:1-2 2:2-3");
}

TEST_CASE("unigram: what no piece spells") {
  const Unigram u = of({{m, -1}, {"a", -2}, {"b", -7}, {"\u00e9\u00e9", -50}, {m + "x", -3}});
  CHECK(u.unknown() == 0);
  CHECK(read(u, "aqqa") == "1:0-1 2:0-1 0:1-3 2:3-4");
  CHECK(read(u, "q") == "1:0-1 0:0-1");
  CHECK(read(u, "\u00e9") == "1:0-1 0:0-1");
  CHECK(read(u, "\xFF") == read(u, "\xEF\xBF\xBD"));
  CHECK(read(u, "aq\xFFz") == "1:0-1 2:0-1 0:1-4");
  // The worst score is -50, so an unknown code point has -60: two of them have less than the piece of both.
  CHECK(read(u, "\u00e9\u00e9") == "1:0-1 4:0-2");
  // Here the worst is 30, and an unknown code point has 20: two of them have more than the piece that they spell.
  const Unigram odd({"<unk>", m, "xy"}, {30, 50, 30});
  CHECK(read(odd, "xy") == "1:0-1 2:0-2");
  CHECK(read(odd, "xyz") == "1:0-1 0:0-3");
  const Unigram without_mark = of({{"a", -1}});
  CHECK(read(without_mark, "a") == "0:0-1 1:0-1");
  CHECK(read(without_mark, "qa") == "0:0-1 1:1-2");  // the mark and q are one unknown piece
}

TEST_CASE("unigram: words that the cache does not hold") {
  const Unigram u = of({{m, -1}, {"a", -2}, {"b", -2}, {"aaaa", -3}});
  for (const std::size_t n : std::initializer_list<std::size_t>{1, 5, 6, 7, 23, 24, 25, 26, 200}) {
    const std::string b(n, 'b');
    Unigram::Reader reader(u), forgetful(u, 2);
    Pieces once, again, third;
    CHECK(reader.encode(b + " " + b, once, 5) == 5 + 2 * n + 1);
    reader.encode(b + " " + b, again, 5);
    forgetful.encode(b + " " + b, third, 5);
    CHECK(in_words(once) == in_words(again));
    CHECK(in_words(once) == in_words(third));
    REQUIRE(once.size() == 2 * n + 2);
    CHECK(once.begin[0] == 5);
    CHECK(once.end.back() == 5 + 2 * n + 1);
    CHECK(once.begin[n + 1] == 5 + n + 1);
  }
  CHECK(read(u, std::string(24, 'a')).ends_with("4:16-20 4:20-24"));
}

TEST_CASE("unigram: the rules of Metaspace alone") {
  const Scored pieces{{m, -1}, {"a", -2}, {"b", -2}, {m + "a", -1.5}, {m + "b", -1.5}};
  const Unigram alone = of(pieces, metaspace_alone());
  CHECK(read(alone, "a b") == "4:0-1 5:1-3");  // the mark has the place of the space
  CHECK(read(alone, "a  b ") == "4:0-1 1:1-2 5:2-4 1:4-5");
  CHECK(read(alone, " a") == "4:0-2");
  CHECK(read(alone, "a\tb") == "4:0-1 0:1-2 3:2-3");
  const Unigram joined = of(pieces, metaspace_alone(nullptr, " "));
  CHECK(read(joined, "a   b") == "4:0-1 5:3-5");
  CHECK(read(joined, "a\u00e9  ") == "4:0-1 0:1-2 1:3-4");
  CHECK(read(joined, "   a b") == "4:2-4 5:4-6");
  const Unigram by_mark = of(pieces, metaspace_alone(nullptr, m));
  CHECK(read(by_mark, "a   b") == "4:0-1 5:3-5");
  UnigramOptions with_added = metaspace_alone(nullptr, m);
  with_added.added = {{"<m>", 9, true, false, false, true}};
  CHECK(read(of(pieces, with_added), "a  <m>") == "4:0-1 1:2-3 9:3-6");  // a mark is no white space that it takes
  with_added.two_spaces = " ";
  CHECK(read(of(pieces, with_added), "a  <m>") == "4:0-1 9:2-6");
  with_added = {};
  with_added.two_spaces = m;  // before WhitespaceSplit a mark is no white space either
  CHECK(read(of(pieces, with_added), "a   b") == "4:0-1 5:3-5");
  const Unigram left = of(pieces, metaspace_alone(&UnigramOptions::strip_left));
  CHECK(read(left, " \u3000a ") == "4:2-3 1:3-4");
  CHECK(read(left, " \u3000") == "");
  const Unigram right = of(pieces, metaspace_alone(&UnigramOptions::strip_right));
  CHECK(read(right, " a \u3000\u00a0") == "4:0-2");
  CHECK(read(right, " \u3000") == "");
}

TEST_CASE("unigram: added pieces before and after the map") {
  UnigramOptions options;
  options.added = {{"<s>", 9}, {"B!", 8, false, false, false, true}, {"ab", 7, true, true, true, true}};
  const Unigram u = of({{m, -1}, {"a", -2}, {"b", -2}}, options);
  CHECK(read(u, "a<s>b") == "1:0-1 2:0-1 9:1-4 1:4-5 3:4-5");
  CHECK(read(u, "aB!\u00e9B!") == "1:0-1 2:0-1 8:1-3 1:3-4 0:3-4 8:4-6");
  CHECK(read(u, "b ab b") == "1:0-1 3:0-1 7:1-5 1:5-6 3:5-6");
  CHECK(read(u, "bab") == "1:0-1 3:0-1 2:1-2 3:2-3");
}

TEST_CASE("unigram: what is no vocabulary") {
  const auto refusal = [](std::vector<std::string> vocabulary, std::vector<double> scores,
                          UnigramOptions options = {}) {
    return sentence([&] { Unigram(std::move(vocabulary), std::move(scores), std::move(options), "here"); });
  };
  CHECK(has(refusal({"<unk>", "a", "a"}, {0, 0, 0}), "entrain.text.14: here: 'a' has ids 1 and 2"));
  CHECK(has(refusal({"a", "b"}, {0, 0}), "entrain.text.15: here: no piece <unk> among 2"));
  CHECK(has(refusal({"<unk>", "a"}, {0}), "entrain.text.19: here: 1 scores of 2 pieces"));
  CHECK(has(refusal({"<unk>", "a"}, {0, std::numeric_limits<double>::infinity()}),
            "entrain.text.19: here: piece 'a' has a score that is not finite"));
  CHECK(has(refusal({"<unk>"}, {std::numeric_limits<double>::quiet_NaN()}), "entrain.text.19"));
  CHECK(has(refusal({"<unk>"}, {0}, {.precompiled_charsmap = "x", .two_spaces = "", .added = {}}),
            "entrain.text.18: here: a map of characters"));
  CHECK(read(Unigram({"<unk>", "", "a", "", m}, {0, 0, -1, 0, -1}), "a") == "4:0-1 2:0-1");  // ids without a piece
}

TEST_CASE("unigram: all that decides a piece changes the fingerprint") {
  const Scored pieces{{m, -1}, {"a", -2}};
  const std::string all = of(pieces).fingerprint();
  CHECK(of(pieces).fingerprint() == all);
  std::vector<std::string> each{all, of({{m, -1}, {"a", -2.5}}).fingerprint(), of({{m, -1}, {"b", -2}}).fingerprint(),
                                of({{"a", -2}, {m, -1}}).fingerprint()};
  const auto with = [&](auto&& change) {
    UnigramOptions options;
    change(options);
    each.push_back(of(pieces, std::move(options)).fingerprint());
  };
  with([](auto& o) { o.unk_token = "a"; });
  with([](auto& o) { o.precompiled_charsmap = std::string("\0\x04\0\0", 4) + std::string(1024, '\0') + "x"; });
  with([](auto& o) { o.strip_left = true; });
  with([](auto& o) { o.strip_right = true; });
  with([](auto& o) { o.two_spaces = " "; });
  with([](auto& o) { o.two_spaces = m; });
  with([](auto& o) { o.whitespace_split = false; });
  for (const AddedPiece& added :
       {AddedPiece{"<m>", 3}, AddedPiece{"<n>", 3}, AddedPiece{"<m>", 4}, AddedPiece{"<m>", 3, true},
        AddedPiece{"<m>", 3, false, true}, AddedPiece{"<m>", 3, false, false, true},
        AddedPiece{"<m>", 3, false, false, false, true}})
    with([&](auto& o) { o.added = {added}; });
  for (std::size_t i = 0; i < each.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      CAPTURE(i);
      CAPTURE(k);
      CHECK(each[i] != each[k]);
    }
}

}  // namespace unigram_test
