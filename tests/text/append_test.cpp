// Corpora after each other are the corpus that was read in one go, and messages name the file of each word.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "entrain/text/conll/conll.hpp"
#include "entrain/text/corpus/corpus.hpp"

namespace append_test {
namespace {
using namespace entrain;
using text::Corpus;

std::string some_sentences(std::mt19937& draw, int count) {
  static const std::vector<std::string> tags{"O", "B-PER", "I-PER", "B-a", "B-b", "B-c"};
  std::string all;
  for (int s = 0; s < count; ++s) {
    for (int i = static_cast<int>(draw() % 4); i >= 0; --i)
      all +=
          std::string(1 + draw() % 3, static_cast<char>('a' + draw() % 26)) + " " + tags[draw() % tags.size()] + "\n";
    all += "\n";
  }
  return all;
}

TEST_CASE("parts after each other are the whole") {
  std::mt19937 draw(1);
  for (int round = 0; round < 50; ++round) {
    const std::string a = some_sentences(draw, 1 + static_cast<int>(draw() % 5)), b = some_sentences(draw, 3);
    const Corpus whole = text::parse_conll("f", a + "-DOCSTART- O\n\n" + b).corpus;
    Corpus joined = text::parse_conll("f", a).corpus;
    const Corpus second = text::parse_conll("f", "-DOCSTART- O\n\n" + b).corpus;
    joined.append(second);
    CHECK(joined.bytes == whole.bytes);
    CHECK(joined.begin == whole.begin);
    CHECK(joined.tags == whole.tags);
    CHECK(joined.tag == whole.tag);
    CHECK(joined.sentence == whole.sentence);
    CHECK(joined.document == whole.document);
    CHECK(joined.files.empty());
    CHECK(joined.met.lines == whole.met.lines);
    CHECK(joined.met.separators == whole.met.separators);
    CHECK(joined.met.docstarts == 1);
  }
}

TEST_CASE("a word, and what is wrong, is in the file that it came from") {
  Corpus all = text::parse_conll("a", "x O\n\ny O\n").corpus;
  Corpus b = text::parse_conll("b", "\nz B-PER\nz I-PER\n").corpus;
  b.problems.push_back({2, "odd"});
  Corpus again = text::parse_conll("a", "w O\n").corpus;
  again.problems.push_back({7, "odd too"});
  const Corpus nothing;
  all.append(b);
  all.append(nothing);
  all.append(again);
  REQUIRE(all.size() == 5);
  CHECK(all.where(0) == "a:1");
  CHECK(all.where(1) == "a:3");
  CHECK(all.where(2) == "b:2");
  CHECK(all.where(3) == "b:3");
  CHECK(all.where(4) == "a:1");
  CHECK(all.tag_name(3) == "I-PER");
  CHECK(all.document == std::vector<std::uint32_t>{0, 2, 3});
  CHECK(all.problems[0].file == "b");
  CHECK(all.problems[1].file.empty());
  all.push("v", "O", 9);
  all.end_sentence();
  CHECK(all.document.back() == 4);
  all.clear();
  CHECK(all.files.empty());
}

TEST_CASE("the counts of readers add up") {
  text::Met one;
  std::uint64_t n = 1;
  const auto fill = [&](auto... count) { ((one.*count = n++), ...); };
  using text::Met;
  fill(&Met::lines, &Met::comments, &Met::docstarts, &Met::word_ranges, &Met::malformed, &Met::separators,
       &Met::blank_separators, &Met::crlf, &Met::bom, &Met::ragged, &Met::empty_tokens, &Met::invalid_tokens,
       &Met::lone_surrogates, &Met::annotations, &Met::misaligned, &Met::overlapping, &Met::empty_annotations,
       &Met::outside);
  fill(&Met::other_texts, &Met::labelled, &Met::unread_lists);
  fill(&Met::headers, &Met::keyless, &Met::unaccepted, &Met::unlabelled, &Met::wordless, &Met::blank_words,
       &Met::joined_sentences, &Met::merged_entities, &Met::variants, &Met::recased_words, &Met::dropped_words,
       &Met::swapped_entities);
  static_assert(sizeof(Met) % sizeof(std::uint64_t) == 0);
  Met two = one;
  two += one;
  const auto* const sum = reinterpret_cast<const std::uint64_t*>(&two);
  const auto* const part = reinterpret_cast<const std::uint64_t*>(&one);
  for (std::size_t i = 0; i < sizeof(Met) / sizeof(std::uint64_t); ++i) {
    CHECK(part[i] > 0);
    CHECK(sum[i] == 2 * part[i]);
  }
}
}  // namespace

}  // namespace append_test
