// tests > [text]
#include "entrain/text/corpus/corpus.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace corpus_test {
using namespace entrain::text;

TEST_CASE("Corpus: what is pushed comes back, packed") {
  Corpus c;
  c.name = "t.conll";
  c.push("Ada", "B-PER", 1);
  c.push("", "O", 2);
  c.push("x y", 3);
  c.end_sentence();
  c.end_sentence();  // no tokens since: no sentence
  c.push("Oslo", "B-PER", 7);
  c.end_sentence();

  REQUIRE(c.size() == 4);
  REQUIRE(c.sentences() == 2);
  CHECK(c.bytes == "Adax yOslo");
  CHECK(c.begin == std::vector<std::uint64_t>{0, 3, 3, 6, 10});
  CHECK(c.sentence == std::vector<std::uint32_t>{0, 3, 4});
  CHECK(c.line == std::vector<std::uint32_t>{1, 2, 3, 7});
  CHECK(c.tag == std::vector<std::int32_t>{0, 1, -1, 0});
  CHECK(c.tags == std::vector<std::string>{"B-PER", "O"});
  CHECK(c.token(1) == "");
  CHECK(c.token(2) == "x y");
  CHECK(c.tag_name(2) == "");
  CHECK(c.tag_name(3) == "B-PER");
  CHECK(c.length(0) == 3);
  CHECK(c.where(3) == "t.conll:7");
}

TEST_CASE("Corpus: documents start where they are told to, the first one anyway") {
  Corpus c;
  const auto sentence = [&] { c.push("a", "O", 1), c.end_sentence(); };
  c.start_document();
  c.start_document();  // an empty document is none
  sentence();
  sentence();
  c.push("open", "O", 1);
  c.start_document();  // ends the sentence too
  sentence();
  c.start_document();
  CHECK(c.document == std::vector<std::uint32_t>{0, 3});
  CHECK(c.sentences() == 4);

  Corpus plain;
  plain.push("a", "O", 1);
  plain.end_sentence();
  CHECK(plain.document == std::vector<std::uint32_t>{0});
}

TEST_CASE("Corpus: 5,000 distinct tags, in order of first sight, also in a copy") {
  std::mt19937 random(7);
  Corpus c;
  std::vector<std::string> seen;
  for (int i = 0; i < 20000; ++i) {
    const std::string tag = "B-" + std::to_string(random() % 5000);
    if (std::find(seen.begin(), seen.end(), tag) == seen.end()) seen.push_back(tag);
    c.push("t", tag, 1);
    if (i == 10000) c = Corpus(c);
    REQUIRE(c.tag_name(c.size() - 1) == tag);
  }
  CHECK(c.tags == seen);
}

}  // namespace corpus_test
