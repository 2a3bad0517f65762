// tests > [text]
#include "entrain/text/records/align.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "entrain/text/split/splitter.hpp"
#include "tests/scratch.hpp"
#include "tests/text/one_block.hpp"

namespace align_test {
using namespace entrain;
using namespace entrain::text;
using test::sentence;

namespace {

struct Aligned {
  Corpus corpus;
  Types types;
  std::vector<Span> spans;
  /// "0-2 PER, 3-4 LOC"
  std::string shown() const {
    std::string s;
    for (const Span& span : spans)
      s += (s.empty() ? "" : ", ") + std::to_string(span.begin) + "-" + std::to_string(span.end) + " " +
           types.name(span.type);
    return s;
  }
};

Aligned aligned(std::string_view text, const std::vector<Annotation>& annotations, Misaligned misaligned,
                OffsetUnit unit = OffsetUnit::code_points, std::size_t cap = 100) {
  Aligned a;
  a.corpus.name = "f.jsonl";
  std::vector<Token> words;
  Whitespace::split(text, words);
  if (unit == OffsetUnit::words)
    for (std::uint32_t i = 0; i < words.size(); ++i) words[i].begin_cp = i, words[i].end_cp = i + 1;
  Aligner(misaligned, unit, cap)(text, words, annotations, a.types, 7, a.corpus, a.spans);
  return a;
}
std::string dropped(std::string_view text, const std::vector<Annotation>& annotations,
                    OffsetUnit unit = OffsetUnit::code_points) {
  const Aligned a = aligned(text, annotations, Misaligned::drop, unit);
  CHECK(a.spans.empty());
  return test::problems(a.corpus);
}
std::string refused(std::string_view text, const std::vector<Annotation>& annotations,
                    OffsetUnit unit = OffsetUnit::code_points) {
  return sentence([&] { aligned(text, annotations, Misaligned::error, unit); });
}

const std::string alice = "So Alice went to New York today";
//                         0  3     9    14 17  21   26

TEST_CASE("annotations of whole words are spans, sorted and apart") {
  const std::vector<Annotation> all{{17, 25, "LOC"}, {3, 8, "PER"}, {9, 13, "LOC"}, {26, 31, "DATE"}, {0, 2, "PER"}};
  for (const Misaligned m : {Misaligned::error, Misaligned::snap, Misaligned::drop}) {
    const Aligned a = aligned(alice, all, m);
    CHECK(a.shown() == "0-1 PER, 1-2 PER, 2-3 LOC, 4-6 LOC, 6-7 DATE");
    CHECK(a.corpus.problems.empty());
    CHECK(a.corpus.met.annotations == 5);
    CHECK(a.corpus.met.misaligned + a.corpus.met.overlapping + a.corpus.met.empty_annotations + a.corpus.met.outside ==
          0);
    CHECK(aligned("", {}, m).shown() == "");
    CHECK(aligned(alice, {}, m).shown() == "");
    CHECK(aligned(alice, {{0, 31, "ALL"}}, m).shown() == "0-7 ALL");
  }
}

TEST_CASE("every annotation that is wrong is thrown with its place, its text and what is near") {
  CHECK(
      refused(alice, {{3, 7, "PER"}}) ==
      "entrain.text.41: f.jsonl:7: entity [3, 7) PER ends inside a word: 'So |Alic|e went to New York t...', expected "
      "[3, 8) 'Alice'");
  CHECK(refused(alice, {{4, 8, "PER"}}) ==
        "entrain.text.41: f.jsonl:7: entity [4, 8) PER begins inside a word: 'So A|lice| went to New York to...', "
        "expected [3, 8) 'Alice'");
  CHECK(
      refused(alice, {{19, 23, "LOC"}}) ==
      "entrain.text.41: f.jsonl:7: entity [19, 23) LOC begins inside a word and ends inside a word: 'So Alice went to "
      "Ne|w Yo|rk today', expected [17, 25) 'New York'");
  CHECK(refused(alice, {{2, 8, "PER"}}).find("PER begins before its first word: 'So| Alice| went") !=
        std::string::npos);
  CHECK(refused(alice, {{3, 9, "PER"}}).find("PER ends after its last word: 'So |Alice |went") != std::string::npos);
  CHECK(refused(alice, {{2, 9, "PER"}}).find("PER begins before its first word and ends after its last word: ") !=
        std::string::npos);
  CHECK(refused(alice, {{3, 8, "PER"}, {5, 5, "X"}}) ==
        "entrain.text.41: f.jsonl:7: entity [5, 5) X is empty: 'So Al||ice went to New York...', expected whole words, "
        "without overlap");
  CHECK(refused(alice, {{9, 3, "X"}}) ==
        "entrain.text.41: f.jsonl:7: entity [9, 3) X ends before it begins: 'So Alice ||went to New York tod...', "
        "expected whole words, without overlap");
  CHECK(refused(alice, {{2, 3, "X"}}).find("X contains no word: 'So| |Alice went") != std::string::npos);
  CHECK(refused(alice, {{26, 32, "X"}}) ==
        "entrain.text.41: f.jsonl:7: entity [26, 32) X extends beyond the text, [0, 31): '...ce went to New York "
        "|today|', expected whole words, without overlap; check whether offsets count bytes or UTF-16 units");
  CHECK(refused(alice, {{-1, 2, "X"}}).find("entity [-1, 2) X extends beyond the text, [0, 31): '|So| Alice") !=
        std::string::npos);
  CHECK(refused(alice, {{3, 13, "A"}, {9, 16, "B"}})
            .find("entity [9, 16) B overlaps [3, 13) A: 'So Alice |went to| New") != std::string::npos);
  CHECK(refused(alice, {{3, 8, "A"}, {3, 8, "A"}}).find("entity [3, 8) A occurs twice: 'So |Alice| ") !=
        std::string::npos);
  CHECK(refused(alice, {{3, 8, "A"}, {3, 8, "B"}}).find("entity [3, 8) B overlaps [3, 8) A: ") != std::string::npos);
  CHECK(refused("", {{0, 1, "A"}}).find("entity [0, 1) A extends beyond the text, [0, 0): '||'") != std::string::npos);
  CHECK(refused(" \t", {{0, 1, "A"}}).find("entity [0, 1) A contains no word: '| |\\t'") != std::string::npos);
}

TEST_CASE("drop leaves out what is wrong, and lists and counts each once") {
  CHECK(dropped(alice, {{3, 7, "PER"}}) ==
        "7: entity [3, 7) PER ends inside a word: 'So |Alic|e went to New York t...'; dropped, near [3, 8) 'Alice'\n");
  CHECK(dropped(alice, {{2, 3, "X"}}) ==
        "7: entity [2, 3) X contains no word: 'So| |Alice went to New Yo...'; dropped, near [0, 2) 'So' and [3, 8) "
        "'Alice'\n");
  CHECK(dropped("  x ", {{0, 1, "X"}}) == "7: entity [0, 1) X contains no word: '| | x '; dropped, near [2, 3) 'x'\n");
  CHECK(dropped("  x ", {{3, 4, "X"}}) == "7: entity [3, 4) X contains no word: '  x| |'; dropped, near [2, 3) 'x'\n");
  CHECK(dropped("", {{0, 0, "X"}}) == "7: entity [0, 0) X is empty: '||'; dropped, near no word\n");
  const Aligned a = aligned(alice,
                            {{3, 8, "PER"},
                             {4, 13, "PER"},
                             {10, 12, "LOC"},
                             {17, 25, "LOC"},
                             {26, 26, "DATE"},
                             {30, 99, "DATE"},
                             {2, 3, "X"},
                             {9, 2, "X"},
                             {-5, -2, "X"},
                             {17, 25, "LOC"}},
                            Misaligned::drop);
  CHECK(a.shown() == "1-2 PER, 4-6 LOC");
  CHECK(a.corpus.met.annotations == 10);
  CHECK(a.corpus.met.misaligned == 1);
  CHECK(a.corpus.met.overlapping == 2);
  CHECK(a.corpus.met.empty_annotations == 3);
  CHECK(a.corpus.met.outside == 2);
  CHECK(a.corpus.problems.size() == 8);
  CHECK(a.types.size() == 2);
}

TEST_CASE("snap takes the words that are touched and says which; what has none of its own is left out") {
  const Aligned a = aligned(alice, {{4, 7, "PER"}, {9, 19, "LOC"}, {22, 24, "LOC"}, {25, 31, "DATE"}, {31, 35, "X"}},
                            Misaligned::snap);
  CHECK(a.shown() == "1-2 PER, 2-5 LOC, 5-6 LOC, 6-7 DATE");
  CHECK(test::problems(a.corpus) ==
        "7: entity [4, 7) PER begins inside a word and ends inside a word: 'So A|lic|e went to New York t...'; read as "
        "[3, 8) 'Alice'\n"
        "7: entity [9, 19) LOC ends inside a word: 'So Alice |went to Ne|w York today'; read as [9, 20) 'went to New'\n"
        "7: entity [22, 24) LOC begins inside a word and ends inside a word: '... Alice went to New Y|or|k today'; "
        "read as [21, 25) 'York'\n"
        "7: entity [25, 31) DATE begins before its first word: '...ice went to New York| today|'; read as [26, 31) "
        "'today'\n"
        "7: entity [31, 35) X extends beyond the text, [0, 31): '...nt to New York today||'; dropped, near [26, 31) "
        "'today'\n");
  CHECK(a.corpus.met.misaligned == 4);
}

TEST_CASE("of two that overlap the first is taken; inside of each other, neighbours and twins") {
  const auto kept = [](const std::vector<Annotation>& all) { return aligned(alice, all, Misaligned::snap).shown(); };
  CHECK(kept({{17, 25, "OUT"}, {21, 25, "IN"}}) == "4-6 OUT");
  CHECK(kept({{17, 25, "OUT"}, {17, 20, "IN"}}) == "4-6 OUT");
  CHECK(kept({{17, 20, "IN"}, {17, 25, "OUT"}}) == "4-5 IN");
  CHECK(kept({{17, 20, "A"}, {21, 25, "A"}}) == "4-5 A, 5-6 A");
  CHECK(kept({{3, 13, "A"}, {9, 16, "B"}, {14, 16, "C"}}) == "1-3 A, 3-4 C");
  CHECK(kept({{3, 10, "A"}, {11, 16, "B"}}) == "1-3 A");  // both touch the word between
  CHECK(kept({{0, 31, "A"}, {0, 31, "A"}, {0, 31, "A"}}) == "0-7 A");
}

TEST_CASE("offsets in bytes and UTF-16, also inside of a code point or a pair") {
  const std::string text = "né 😀😀 x";  // bytes 0-3, 4-12, 13; UTF-16 0-2, 3-7, 8; code points 0-2, 3-5, 6
  CHECK(aligned(text, {{0, 2, "A"}, {3, 5, "B"}, {6, 7, "C"}}, Misaligned::error).shown() == "0-1 A, 1-2 B, 2-3 C");
  CHECK(aligned(text, {{0, 3, "A"}, {4, 12, "B"}, {13, 14, "C"}}, Misaligned::error, OffsetUnit::bytes).shown() ==
        "0-1 A, 1-2 B, 2-3 C");
  CHECK(aligned(text, {{0, 2, "A"}, {3, 7, "B"}, {8, 9, "C"}}, Misaligned::error, OffsetUnit::utf16).shown() ==
        "0-1 A, 1-2 B, 2-3 C");
  CHECK(refused(text, {{0, 2, "A"}}, OffsetUnit::bytes) ==
        "entrain.text.41: f.jsonl:7: entity [0, 2) A ends inside a word: '|né| 😀😀 x', expected [0, 3) 'né'; "
        "offsets seem to count code points: use --offsets code-points");
  CHECK(refused(text, {{5, 12, "A"}}, OffsetUnit::bytes) ==
        "entrain.text.41: f.jsonl:7: entity [5, 12) A begins inside a word: 'né 😀|😀| x', expected [4, 12) '😀😀'");
  CHECK(refused(text, {{3, 6, "A"}}, OffsetUnit::utf16) ==
        "entrain.text.41: f.jsonl:7: entity [3, 6) A ends inside a word: 'né |😀😀| x', expected [3, 7) '😀😀'");
  CHECK(aligned(text, {{4, 6, "A"}}, Misaligned::snap, OffsetUnit::utf16).shown() == "1-2 A");
  CHECK(refused(text, {{8, 10, "A"}}, OffsetUnit::utf16).find("beyond the text, [0, 9): ") != std::string::npos);
  CHECK(refused(text, {{13, 15, "A"}}, OffsetUnit::bytes).find("beyond the text, [0, 14): ") != std::string::npos);
  CHECK(refused(text, {{6, 8, "A"}}).find("beyond the text, [0, 7): ") != std::string::npos);
}

TEST_CASE("words that are counted: the last one belongs to it, in messages too") {
  // the end of an annotation is the word after its last one
  CHECK(aligned(alice, {{1, 2, "PER"}, {4, 6, "LOC"}}, Misaligned::error, OffsetUnit::words).shown() ==
        "1-2 PER, 4-6 LOC");
  CHECK(refused(alice, {{1, 4, "A"}, {2, 3, "B"}}, OffsetUnit::words) ==
        "entrain.text.41: f.jsonl:7: entity [2, 2] B overlaps [1, 3] A: 'So Alice |went| to New York today', expected "
        "whole words, without overlap");
  CHECK(refused(alice, {{6, 8, "A"}}, OffsetUnit::words).find("entity [6, 7] A extends beyond the text, [0, 6]: '") !=
        std::string::npos);
  CHECK(dropped(alice, {{3, 3, "A"}}, OffsetUnit::words) ==
        "7: entity [3, 2] A is empty: 'So Alice went ||to New York today'; dropped, near [2, 2] 'went' and [3, 3] "
        "'to'\n");
}

TEST_CASE("empty words belong to what ends at them, if it is not of whole words otherwise") {
  const std::string text = "  ab  c";
  const std::vector<Token> words{{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 4, 2, 4}, {5, 5, 5, 5}, {6, 7, 6, 7}, {7, 7, 7, 7}};
  const auto spans = [&](const std::vector<Annotation>& annotations, OffsetUnit unit = OffsetUnit::code_points) {
    Aligned a;
    a.corpus.name = "f.jsonl";
    Aligner(Misaligned::drop, unit, 9)(text, words, annotations, a.types, 7, a.corpus, a.spans);
    return a.shown() + test::problems(a.corpus);
  };
  for (const OffsetUnit unit : {OffsetUnit::code_points, OffsetUnit::bytes, OffsetUnit::utf16}) {
    CHECK(spans({{0, 0, "X"}, {1, 1, "Y"}, {5, 5, "Z"}}, unit) == "0-1 X, 1-2 Y, 3-4 Z");
    CHECK(spans({{0, 1, "X"}, {2, 5, "Y"}}, unit) == "0-2 X, 2-4 Y");
    CHECK(spans({{1, 4, "X"}, {5, 7, "Y"}}, unit) == "1-3 X, 3-5 Y");
    CHECK(spans({{0, 7, "X"}}, unit) == "0-5 X");
    CHECK(spans({{7, 7, "X"}, {2, 4, "Y"}}, unit) == "2-3 Y, 5-6 X");
  }
  CHECK(spans({{0, 4, "X"}, {1, 1, "Y"}}).starts_with("0-3 X"));
  CHECK(spans({{0, 4, "X"}, {1, 1, "Y"}}).find("entity [1, 1) Y overlaps [0, 4) X") != std::string::npos);
  CHECK(spans({{3, 3, "X"}}).find("entity [3, 3) X is empty") != std::string::npos);
  CHECK(spans({{1, 3, "X"}}).find("entity [1, 3) X begins before its first word and ends inside a word") !=
        std::string::npos);
  CHECK(spans({{5, 4, "X"}}).find("ends before it begins") != std::string::npos);
}

TEST_CASE("places of any size, and a list that ends while counts go on") {
  using Limits = std::numeric_limits<std::int64_t>;
  const std::int64_t least = Limits::min(), most = Limits::max();
  for (const OffsetUnit unit : {OffsetUnit::code_points, OffsetUnit::bytes, OffsetUnit::utf16, OffsetUnit::words})
    for (const std::string& text : {alice, std::string(), std::string("😀")})
      for (const std::int64_t begin : {least, std::int64_t{-1}, std::int64_t{0}, most})
        for (const std::int64_t end : {least, least + 1, std::int64_t{0}, most}) {
          const Aligned a = aligned(text, {{begin, end, "X"}}, Misaligned::snap, unit);
          CHECK(a.spans.empty());
          CHECK(a.corpus.problems.size() == 1);
        }
  const Aligned many =
      aligned(alice, std::vector<Annotation>(1000, {3, 7, "PER"}), Misaligned::drop, OffsetUnit::code_points, 3);
  CHECK(many.corpus.met.misaligned == 1000);
  CHECK(many.corpus.problems.size() == 3);
  const std::string kind(100'000, 'x');
  CHECK(dropped(alice, {{3, 7, kind}}).size() < 300);
  CHECK(dropped(alice, {{3, 7, "a\nb"}}).find("a\\nb") != std::string::npos);
  CHECK(dropped(kind, {{5, 90'000, "X"}}).size() < 400);
}

TEST_CASE("aligning is what a slow reader of single letters finds") {
  std::mt19937 draw(3);
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text;
    for (auto n = draw() % 16; n > 0; --n) text += "ab "[draw() % 3];
    std::vector<Annotation> annotations;
    for (auto n = draw() % 5; n > 0; --n) {
      const auto begin = static_cast<std::int64_t>(draw() % 18) - 1;
      annotations.push_back({begin, begin + static_cast<std::int64_t>(draw() % 6), std::string(1, "XY"[draw() % 2])});
    }
    std::vector<Token> words;
    Whitespace::split(text, words);
    const auto letters = static_cast<std::int64_t>(text.size());
    std::vector<int> word_of(text.size(), -1);
    for (std::size_t w = 0; w < words.size(); ++w)
      for (auto i = words[w].begin; i < words[w].end; ++i) word_of[i] = static_cast<int>(w);

    std::vector<Annotation> sorted;
    for (const Annotation& a : annotations)
      sorted.insert(
          std::upper_bound(sorted.begin(), sorted.end(), a, [](auto& x, auto& y) { return x.begin < y.begin; }), a);
    std::vector<bool> taken(words.size());
    std::string expected;
    std::uint64_t misaligned = 0, overlapping = 0, empty = 0, outside = 0;
    for (const Annotation& a : sorted) {
      if (a.begin >= a.end) {
        ++empty;
        continue;
      }
      if (a.begin < 0 || a.end > letters) {
        ++outside;
        continue;
      }
      int first = -1, last = -1, inside = 0, of_them = 0;
      for (auto i = a.begin; i < a.end; ++i)
        if (const int w = word_of[static_cast<std::size_t>(i)]; w >= 0) {
          if (first < 0) first = w;
          last = w;
          ++inside;
        }
      if (first < 0) {
        ++empty;
        continue;
      }
      if (taken[static_cast<std::size_t>(first)] || taken[static_cast<std::size_t>(last)]) {
        ++overlapping;
        continue;
      }
      for (int w = first; w <= last; ++w) {
        taken[static_cast<std::size_t>(w)] = true;
        of_them += static_cast<int>(words[static_cast<std::size_t>(w)].end - words[static_cast<std::size_t>(w)].begin);
      }
      const bool edges_blank =
          word_of[static_cast<std::size_t>(a.begin)] < 0 || word_of[static_cast<std::size_t>(a.end - 1)] < 0;
      misaligned += inside != of_them || edges_blank;
      expected +=
          (expected.empty() ? "" : ", ") + std::to_string(first) + "-" + std::to_string(last + 1) + " " + a.type;
    }
    const Aligned a = aligned(text, annotations, Misaligned::snap);
    CAPTURE(text);
    CHECK(a.shown() == expected);
    CHECK(a.corpus.met.misaligned == misaligned);
    CHECK(a.corpus.met.overlapping == overlapping);
    CHECK(a.corpus.met.empty_annotations == empty);
    CHECK(a.corpus.met.outside == outside);
    CHECK(a.corpus.problems.size() == misaligned + overlapping + empty + outside);
    CHECK(aligned(text, annotations, Misaligned::drop).spans.size() <= a.spans.size());
  }
}

}  // namespace

}  // namespace align_test
