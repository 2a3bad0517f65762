// tests > [batch]
//
// Words in pieces, sentences in windows: which row represents a word, and what the encoder sees around it.
#include "entrain/batch/encode/pieces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"

namespace pieces_test {
using namespace entrain;

namespace {
using Ten = batch::Pieces<10, 9, text::WordPiece>;  // eight pieces between [CLS] and [SEP]

/// Ids: 0 [UNK], 1 [CLS], 2 [SEP], 3 a, 4 b, 5 c, 6 ##a, 7 ##b, 8 ##c.
Ten features() {
  return {std::make_shared<const text::WordPiece>(
              std::vector<std::string>{"[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "##a", "##b", "##c"}),
          {1},
          {2}};
}
batch::Encoded<Ten> encoded(const std::vector<std::vector<std::string>>& sentences) {
  text::Corpus corpus;
  for (const auto& words : sentences) {
    for (const auto& word : words) corpus.push(word, 0);
    corpus.end_sentence();
  }
  return batch::encode<Ten>(corpus, features());
}
std::vector<std::int32_t> list(const std::int32_t* from, int n) { return {from, from + n}; }
using Ids = std::vector<std::int32_t>;
}  // namespace

TEST_CASE("pieces: words become pieces between [CLS] and [SEP], and are what their first piece becomes") {
  const auto e = encoded({{"ab", "c", "x"}, {"a"}});
  CHECK(e.rows == Ids{6, 3});
  CHECK(e.longest() == 6);
  batch::Packer<Ten> packer(16);
  const std::vector<std::uint32_t> order{1, 0};
  const auto b = packer.pack(e, order, 3);
  CHECK(b.shape == Shape{4, 2, 3});
  CHECK(b.words.count == 9);
  CHECK(b.words.windows == 2);
  CHECK(list(b.words.ids, 9) == Ids{1, 3, 2, 1, 3, 7, 5, 0, 2});
  CHECK(list(b.words.position, 9) == Ids{0, 1, 2, 0, 1, 2, 3, 4, 5});
  CHECK(list(b.words.cu_seqlens, 3) == Ids{0, 3, 9});
  CHECK(list(b.words.window, 9) == Ids{0, 0, 0, 1, 1, 1, 1, 1, 1});
  CHECK(list(b.words.first, 4) == Ids{1, 4, 6, 7});
  CHECK(list(b.words.word_of, 9) == Ids{-1, 0, -1, -1, 1, -1, 2, 3, -1});
  CHECK(list(b.words.touched.ids, b.words.touched.count) == Ids{0, 1, 2, 3, 5, 7});
  CHECK(list(b.words.touched.starts, 7) == Ids{0, 1, 3, 5, 7, 8, 9});
  CHECK(list(b.words.touched.items, 9) == Ids{7, 0, 3, 2, 8, 1, 4, 6, 5});
  CHECK(b.words.placed.count == 6);
  CHECK(list(b.words.placed.items, 4) == Ids{0, 3, 1, 4});
  CHECK(b.words.typed.count == 1);
  CHECK(list(b.words.typed.starts, 2) == Ids{0, 9});
  const Shape inner = Ten::inside(b.shape, b.words);
  CHECK(inner == Shape{9, 2, 3});
  CHECK(Ten::inside(b.geometry, b.words).cu_seqlens == b.words.cu_seqlens);
  CHECK(Ten::inside(b.geometry, b.words).sentence == b.words.window);
}

TEST_CASE("pieces: a table of positions may have reserved rows in front") {
  using From3 = batch::Pieces<13, 9, text::WordPiece, 3>;
  const auto tokenizer = std::make_shared<const text::WordPiece>(features().tokenizer());
  const From3 shifted(tokenizer, {1}, {2});
  CHECK(shifted.room() == features().room());
  text::Corpus corpus;
  for (const char* word : {"abc", "c", "abc", "ab", "b"}) corpus.push(word, 0);  // 10 pieces: two windows
  corpus.end_sentence();
  corpus.push("a", 0);
  corpus.end_sentence();
  const auto plain = batch::encode<Ten>(corpus, features());
  const auto e = batch::encode<From3>(corpus, shifted);
  CHECK(e.rows == plain.rows);
  batch::Packer<Ten> plain_packer(32);
  batch::Packer<From3> packer(32);
  const std::vector<std::uint32_t> order{0, 1};
  const auto a = plain_packer.pack(plain, order, 3);
  const auto b = packer.pack(e, order, 3);
  const int n = a.words.count;
  REQUIRE(b.words.count == n);
  CHECK(a.words.windows == 3);
  CHECK(list(b.words.ids, n) == list(a.words.ids, n));
  Ids position = list(a.words.position, n), placed = list(a.words.placed.ids, a.words.placed.count);
  for (auto* ids : {&position, &placed})
    for (std::int32_t& id : *ids) id += 3;
  CHECK(list(b.words.position, n) == position);
  CHECK(list(b.words.placed.ids, b.words.placed.count) == placed);
  CHECK(list(b.words.placed.items, n) == list(a.words.placed.items, n));
  CHECK_THROWS_WITH(
      From3(tokenizer, Ids(5, 1), Ids(5, 2)),
      "entrain.batch.2: tokenizer: 10 special tokens around every text, expected fewer than 10, the model's "
      "positions (max_position_embeddings); use the model's tokenizer");
}

TEST_CASE("pieces: where every piece is labelled, a batch to learn from has a row for each") {
  using Every = batch::LabelAllTokens<Ten>;
  const Ten plain = features();
  text::Corpus corpus;
  for (const char* word : {"ab", "c", "abc"}) corpus.push(word, 0);
  corpus.end_sentence();
  corpus.end_sentence();
  corpus.push("ca", 0);
  corpus.end_sentence();
  auto e = batch::encode<Every>(corpus, Every{std::make_shared<const text::WordPiece>(std::vector<std::string>{
                                                  "[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "##a", "##b", "##c"}),
                                              {1},
                                              {2}});
  e.target = {1, 0, 4, -100};
  e.in_pieces = {{0, 0, 0}, {1, 2, 3}, {2, 2, 2}, {2, 2, 3}, {1, 2, 3}};
  batch::Packer<Every> packer(32);
  std::vector<std::uint32_t> order;
  for (std::uint32_t s = 0; s < e.sentences(); ++s) order.push_back(s);
  const std::vector<float> weights{0.5f, 1, 2, 4, 8};
  const auto b = packer.pack_to_learn(e, order, 5, {}, weights);
  CHECK(b.shape == Shape{8, static_cast<int>(order.size()), 5});
  CHECK(list(b.targets.data, 8) == Ids{1, 3, 0, 1, 2, 3, -100, -100});
  CHECK(b.geometry.cu_seqlens[1] == 6);
  CHECK(b.geometry.cu_seqlens[order.size()] == 8);
  CHECK(list(b.words.first, 8) == Ids{1, 2, 3, 4, 5, 6, b.words.first[6], b.words.first[6] + 1});
  for (int row = 0; row < 8; ++row) CHECK(b.words.word_of[b.words.first[row]] == row);
  CHECK(std::count(b.words.word_of, b.words.word_of + b.words.count, -1) == b.words.count - 8);
  CHECK(b.real_targets == 6);
  CHECK(b.target_weight == 1 + 4 + 0.5 + 1 + 2 + 4);
  CHECK(packer.pack(e, order, 5).shape.rows == 4);  // to decode, words are the rows
}

TEST_CASE("pieces: a long sentence is read through windows, every word is taken once, with something around it") {
  const auto e = encoded({{"a", "b", "c", "a", "b", "c", "a", "b", "c", "abc"}});
  CHECK(e.rows[0] == 2 * 2 + 12 + 4);  // the last window reaches back as far as it can
  batch::Packer<Ten> packer(64);
  const std::vector<std::uint32_t> order{0};
  const auto b = packer.pack(e, order, 3);
  CHECK(b.words.windows == 2);
  CHECK(b.words.count == e.rows[0]);
  CHECK(list(b.words.cu_seqlens, 3) == Ids{0, 10, 20});
  CHECK(list(b.words.ids, 20) == Ids{1, 3, 4, 5, 3, 4, 5, 3, 4, 2, 1, 4, 5, 3, 4, 5, 3, 7, 8, 2});
  CHECK(list(b.words.first, 10) == Ids{1, 2, 3, 4, 5, 6, 13, 14, 15, 16});
  CHECK(list(b.words.word_of, 20) == Ids{-1, 0, 1, 2, 3, 4, 5, -1, -1, -1, -1, -1, -1, 6, 7, 8, 9, -1, -1, -1});
}

TEST_CASE("pieces: a sentence that fills its window is one, with a piece more it is two") {
  const std::vector<std::string> eight{"a", "b", "c", "a", "b", "c", "a", "b"};
  std::vector<std::string> nine = eight;
  nine.push_back("c");
  const auto e = encoded({eight, nine, {"abc"}});  // more pieces than are put at once
  batch::Packer<Ten> packer;
  const std::vector<std::uint32_t> full{0}, more{1};
  const auto b = packer.pack(e, full, 3);
  CHECK(b.words.windows == 1);
  CHECK(b.words.count == e.rows[0]);
  CHECK(list(b.words.ids, 10) == Ids{1, 3, 4, 5, 3, 4, 5, 3, 4, 2});
  const auto two = packer.pack(e, more, 3);
  CHECK(two.words.windows == 2);
  CHECK(two.words.count == e.rows[1]);
  CHECK(two.words.cu_seqlens[1] == 10);
}

TEST_CASE("pieces: a corpus of fewer pieces than are put at once") {
  for (const char* word : {"a", "ab", "abc", "abca"}) {
    const auto e = encoded({{word, word}});
    batch::Packer<Ten> packer;
    const std::vector<std::uint32_t> order{0};
    const auto b = packer.pack(e, order, 3);
    const auto n = static_cast<int>(std::string(word).size());
    CHECK(list(b.words.first, 2) == Ids{1, 1 + n});
    CHECK(list(b.words.ids + 1, n) == list(b.words.ids + 1 + n, n));
    CHECK(b.words.ids[1] == 3);
    CHECK(b.words.ids[2 * n + 1] == 2);
  }
}

TEST_CASE("pieces: a word without pieces is not read, one longer than a window keeps its first pieces") {
  const auto e = encoded({{"\x01", "abcabcabcabc"}});
  CHECK(e.vocabulary.size() == 1);
  CHECK(Ids(e.vocabulary[0].begin(), e.vocabulary[0].end()) == Ids{3, 7, 8, 6, 7, 8, 6, 7});
  CHECK(e.rows == Ids{10});
  CHECK(e.unread.cut == 1);
  CHECK(e.unread.pieceless == 1);
  CHECK(e.word.size() == 1);
  CHECK(encoded({{"abcabcab", "a", "abcabcabc", "abcabcabc", "abcabcabca"}}).unread.cut == 2);  // distinct words
}

}  // namespace pieces_test
