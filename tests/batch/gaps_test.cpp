// tests > [batch]
//
// Words that have no piece: what is read of a sentence is what transformers reads of it, and every word has its tag.
#include "entrain/batch/encode/gaps.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/pieces.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/batch/pack/validate.hpp"
#include "entrain/task/tag_gaps.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"

namespace gaps_test {
using namespace entrain;
using batch::Gaps;
using text::Tag;

namespace {
using Words = batch::Pieces<64, 40, text::WordPiece>;
using Tags = std::vector<Tag>;

std::string from_hex(const std::string& hex) {
  std::string s;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) s += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return s;
}

/// A sentence, and the ids that transformers gives it with the word of each, -1 of [CLS] and [SEP].
struct Golden {
  std::vector<std::string> words;
  std::vector<std::int32_t> ids, word;

  bool has_pieces(std::size_t w) const {
    for (const std::int32_t of : word)
      if (of == static_cast<std::int32_t>(w)) return true;
    return false;
  }
};

struct GoldenFile {
  std::shared_ptr<const text::WordPiece> tokenizer;
  std::vector<Golden> sentences;

  GoldenFile() {
    std::ifstream in(ENTRAIN_SOURCE_DIR "/tests/batch/golden/words.txt");
    REQUIRE(in.good());
    std::vector<std::string> vocabulary;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("#")) continue;
      if (line.starts_with("v ")) {
        vocabulary.push_back(line.substr(2));
        continue;
      }
      Golden& g = sentences.emplace_back();
      std::istringstream parts(line);
      std::string part;
      while (parts >> part && part != "|") g.words.push_back(part == "-" ? "" : from_hex(part));
      while (parts >> part) {
        const std::size_t colon = part.find(':');
        g.ids.push_back(std::stoi(part.substr(0, colon)));
        g.word.push_back(part.substr(colon + 1) == "-" ? -1 : std::stoi(part.substr(colon + 1)));
      }
    }
    text::WordPieceOptions options;
    for (std::int32_t id = 0; id < 5; ++id)
      options.added.push_back({.text = vocabulary[static_cast<std::size_t>(id)], .id = id});
    tokenizer = std::make_shared<const text::WordPiece>(std::move(vocabulary), std::move(options));
  }
  Words features() const { return {tokenizer, {2}, {3}}; }
};

template <class S> Tags filled(const Gaps& gaps, const Tags& read) {
  Tags all;
  task::fill_gaps<S>(gaps.of(0), read, all);
  return all;
}
Gaps at(std::vector<std::uint32_t> places) {
  Gaps gaps;
  gaps.add(0, places, false);
  return gaps;
}

}  // namespace

TEST_CASE("gaps: an encoder reads the ids that transformers reads, and a word's row is that of its first") {
  const GoldenFile golden;
  REQUIRE(golden.sentences.size() > 300);
  text::Corpus corpus;
  for (const Golden& g : golden.sentences) {
    for (const std::string& word : g.words) corpus.push(word, 0);
    corpus.end_sentence();
  }
  const auto e = batch::encode<Words>(corpus, golden.features());
  CHECK(batch::fault_of(e, 1).empty());
  batch::Packer<Words> packer;
  std::size_t pieceless = 0, stand_ins = 0;
  for (std::uint32_t s = 0; s < golden.sentences.size(); ++s) {
    const Golden& g = golden.sentences[s];
    CAPTURE(s);
    const auto b = packer.pack(e, std::span(&s, 1), 1);
    const Gaps::OfSentence gaps = e.gaps.of(s);
    std::vector<std::uint32_t> without;
    for (std::uint32_t w = 0; w < g.words.size(); ++w)
      if (!g.has_pieces(w)) without.push_back(w);
    pieceless += without.size();
    if (without.size() == g.words.size()) {  // transformers reads [CLS] [SEP]; a batch has no sentence without words
      ++stand_ins;
      CHECK(gaps.stand_in);
      CHECK(gaps.words.size() + 1 == g.words.size());
      CHECK(std::vector(b.words.ids, b.words.ids + b.words.count) == std::vector<std::int32_t>{2, 1, 3});
      continue;
    }
    CHECK(!gaps.stand_in);
    CHECK(std::vector(gaps.words.begin(), gaps.words.end()) == without);
    CHECK(std::vector(b.words.ids, b.words.ids + b.words.count) == g.ids);
    std::int32_t row = 0;
    for (std::uint32_t w = 0; w < g.words.size(); ++w) {
      if (!g.has_pieces(w)) continue;
      std::int32_t first = 0;
      while (g.word[static_cast<std::size_t>(first)] != static_cast<std::int32_t>(w)) ++first;
      CHECK(b.words.first[row++] == first);
    }
    CHECK(b.shape.rows == row);
  }
  CHECK(e.unread.pieceless == pieceless);
  CHECK(pieceless > 300);
  CHECK(stand_ins >= 10);
}

TEST_CASE("gaps: in a corpus that has none, nothing is changed; sentences of all kinds keep apart") {
  const GoldenFile golden;
  const auto encoded = [&](const std::vector<std::vector<std::string>>& sentences) {
    text::Corpus corpus;
    for (const auto& words : sentences) {
      for (const auto& word : words) corpus.push(word, 0);
      corpus.end_sentence();
    }
    return batch::encode<Words>(corpus, golden.features());
  };
  const std::string none = "\u200b", other = "\ufe0f";
  const auto e = encoded({{"a", none, "b"}, {none, other}, {"c"}, {other}, {"ab", "a"}});
  CHECK(e.unread.pieceless == 4);
  CHECK(std::vector(e.sentence.begin(), e.sentence.end()) == std::vector<std::uint32_t>{0, 2, 3, 4, 5, 7});
  CHECK(std::vector(e.rows.begin(), e.rows.end()) == std::vector<std::int32_t>{4, 3, 3, 3, 5});
  CHECK(e.word[2] == e.word[4]);  // both are read as [UNK]
  CHECK(e.target.size() == 7);
  CHECK(e.gaps.first().first == 0);
  CHECK(e.gaps.of(1).stand_in);
  CHECK(e.gaps.of(1).words.size() == 1);
  CHECK(!e.gaps.of(2).any());
  CHECK(e.gaps.of(3).words.empty());
  CHECK(!e.gaps.of(4).any());
  const auto plain = encoded({{"a", "b"}, {"c"}, {}, {"ab", "a"}});
  CHECK(plain.unread.pieceless == 0);
  CHECK(plain.gaps.empty());
  CHECK(!plain.gaps.of(0).any());
}

TEST_CASE("gaps: a word without pieces is in an entity that continues after it, else O") {
  // of one type: BIO 1 B, 2 I; of the second 3 B, 4 I. BIOES 1 B, 2 I, 3 E, 4 S
  CHECK(filled<text::Bio>(at({1}), {1, 2}) == Tags{1, 2, 2});
  CHECK(filled<text::Bio>(at({1, 2}), {1, 2}) == Tags{1, 2, 2, 2});
  CHECK(filled<text::Bio>(at({1}), {1, 1}) == Tags{1, 0, 1});
  CHECK(filled<text::Bio>(at({1}), {1, 4}) == Tags{1, 0, 4});
  CHECK(filled<text::Bio>(at({0, 2, 3}), {1, 0}) == Tags{0, 1, 0, 0, 0});
  CHECK(filled<text::Bioes>(at({1}), {1, 3}) == Tags{1, 2, 3});
  CHECK(filled<text::Bioes>(at({1}), {4, 4}) == Tags{4, 0, 4});
  CHECK(filled<text::Bioes>(at({2}), {1, 3}) == Tags{1, 3, 0});
  CHECK(filled<text::Iob1>(at({1}), {2, 2}) == Tags{2, 2, 2});
  CHECK(filled<text::Iob1>(at({1}), {2, 1}) == Tags{2, 0, 1});
  CHECK(filled<text::Io>(at({1}), {1, 1}) == Tags{1, 1, 1});
  CHECK(filled<text::Io>(at({1}), {1, 2}) == Tags{1, 0, 2});
  Gaps alone;
  alone.add(0, std::vector<std::uint32_t>{1, 2}, true);
  CHECK(filled<text::Bio>(alone, {1}) == Tags{0, 0, 0});
}

TEST_CASE("gaps: what is learned of an entity is what is read of it") {
  const auto learned = [](const Gaps& gaps, std::size_t read, const std::vector<text::Span>& entities) {
    Tags tags(read, 9);
    task::GapEncoder<text::Bio> write(gaps.of(0), tags, -100);
    for (const text::Span& span : entities) write(span);
    return tags;
  };
  CHECK(learned(at({1}), 3, {{0, 3, 0}}) == Tags{1, 2, 0});          // New <gap> York
  CHECK(learned(at({0}), 2, {{0, 2, 0}}) == Tags{1, 0});             // <gap> York: it begins at York
  CHECK(learned(at({1}), 2, {{0, 2, 0}, {2, 3, 0}}) == Tags{1, 1});  // Ada <gap>, Bo
  CHECK(learned(at({1}), 2, {{1, 2, 0}}) == Tags{0, 0});             // the gap alone
  CHECK(learned(at({1, 2}), 2, {{3, 4, 1}}) == Tags{0, 3});
  Gaps alone;
  alone.add(0, std::vector<std::uint32_t>{1}, true);
  CHECK(learned(alone, 1, {{0, 2, 0}}) == Tags{-100});
}

}  // namespace gaps_test
