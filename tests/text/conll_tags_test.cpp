// tests > [text]
//
// Tags of CoNLL lines, one after the other: each is its own, however like the one before; whatever the columns.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "entrain/text/conll/conll.hpp"

namespace conll_tags_test {
using namespace entrain;

TEST_CASE(
    "conll tags: every token has the tag of its line, by tabs and by blanks, in the second column and in others") {
  const std::vector<std::string> tags{"O", "B", "I", "B-X", "I-X", "B-XY", "I-XY", "B-YX", "O", "B-X-long-type"};
  std::mt19937 draw(4);
  for (int round = 0; round < 60; ++round) {
    const char separator = round % 2 == 0 ? '\t' : ' ';
    const int before = round / 2 % 3, between = round / 6 % 2;  // columns that are not asked for
    std::string file;
    std::vector<std::string> words, expected;
    for (int i = 0; i < 200; ++i) {
      const std::string word(1 + draw() % 40, static_cast<char>('a' + draw() % 26));
      const std::string& tag = draw() % 2 == 0 || expected.empty() ? tags[draw() % tags.size()] : expected.back();
      for (int k = 0; k < before; ++k) file += std::string("n") + separator;
      file += word + separator;
      for (int k = 0; k < between; ++k) file += std::string("NOUN") + separator;
      file += tag + (draw() % 10 == 0 ? "\r\n" : "\n");
      if (draw() % 8 == 0) file += "\n";
      words.push_back(word);
      expected.push_back(tag);
    }
    text::ConllOptions options;
    options.token_column = before;
    options.tag_column = before + between + 1;
    const text::Corpus corpus = text::parse_conll("made.conll", file, options).corpus;
    REQUIRE(corpus.size() == words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      REQUIRE(corpus.token(i) == words[i]);
      REQUIRE(corpus.tag_name(i) == expected[i]);
    }
  }
}

TEST_CASE(
    "conll tags: the tag may be in the second column and the token after it, or the token in the first and not the "
    "tag") {
  for (const char separator : {'\t', ' '}) {
    std::string file;
    for (const char* line : {"n,B-X,Paul", "v,O,went", "n,B-X,London"})
      for (const char* c = line;; ++c) {
        file += *c == ',' ? separator : *c == '\0' ? '\n' : *c;
        if (*c == '\0') break;
      }
    text::ConllOptions options;
    options.token_column = 2, options.tag_column = 1;
    const text::Corpus after = text::parse_conll("made.conll", file, options).corpus;
    CHECK(after.token(1) == "went");
    CHECK(after.tag_name(2) == "B-X");
    options.token_column = 0, options.tag_column = 2;
    const text::Corpus far = text::parse_conll("made.conll", file, options).corpus;
    CHECK(far.token(1) == "v");
    CHECK(far.tag_name(2) == "London");
  }
}

}  // namespace conll_tags_test
