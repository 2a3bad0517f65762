// tests > [batch]
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/pack/budget.hpp"
#include "entrain/batch/pack/packer.hpp"

namespace batch_test {
using namespace entrain;
using Words = batch::SpacyWords;

namespace {
text::Corpus corpus(const std::vector<std::vector<const char*>>& sentences) {
  text::Corpus c;
  std::uint32_t line = 0;
  for (const auto& s : sentences) {
    for (const char* token : s) c.push(token, "O", ++line);
    c.end_sentence();
  }
  return c;
}
}  // namespace

TEST_CASE("Encoded: a word is encoded once, and as HashedWords says") {
  const auto e = batch::encode<Words>(corpus({{"the", "cat"}, {"The"}, {"cat", "the", "cat"}}));
  CHECK(e.sentence == std::vector<std::uint32_t>{0, 2, 3, 6});
  CHECK(e.word == std::vector<std::int32_t>{0, 1, 2, 1, 0, 1});
  REQUIRE(e.vocabulary.size() == 3);
  CHECK(e.vocabulary[1] == Words::word("cat"));
  // "the" and "The" share NORM (lower case) and SUFFIX no: "the" and "The" differ; PREFIX differs.
  CHECK(std::equal(e.vocabulary[0].begin(), e.vocabulary[0].begin() + 4, e.vocabulary[2].begin()));
  CHECK_FALSE(std::equal(e.vocabulary[0].begin() + 4, e.vocabulary[0].begin() + 8, e.vocabulary[2].begin() + 4));
  CHECK(e.longest() == 3);
  for (const auto& w : e.vocabulary)
    for (std::size_t k = 0; k < w.size(); ++k) CHECK((w[k] >= 0 && w[k] < Words::rows[k / 4]));
}

TEST_CASE("Budget: every sentence once, never above the budget but alone, the same for the same seed") {
  const std::vector<int> length{5, 3, 200, 1, 1, 40, 60, 7, 100, 2};
  std::set<std::vector<std::uint32_t>> orders;
  for (std::uint32_t epoch = 0; epoch < 5; ++epoch) {
    batch::Budget b, again;
    b.shuffled(length.size(), 7, epoch);
    b.plan(length.size(), 100, length);
    again.shuffled(length.size(), 7, epoch);
    again.plan(length.size(), 100, length);
    std::vector<std::uint32_t> seen;
    REQUIRE(b.size() == again.size());
    for (std::size_t i = 0; i < b.size(); ++i) {
      int tokens = 0;
      for (const auto s : b[i]) tokens += length[s], seen.push_back(s);
      CHECK((tokens <= 100 || b[i].size() == 1));
      CHECK(std::equal(b[i].begin(), b[i].end(), again[i].begin(), again[i].end()));
    }
    orders.insert(seen);
    std::sort(seen.begin(), seen.end());
    for (std::uint32_t s = 0; s < length.size(); ++s) CHECK(seen[s] == s);
  }
  CHECK(orders.size() == 5);
  batch::Budget none;
  none.shuffled(0, 1, 0);
  none.plan(0, 100, length);
  CHECK(none.size() == 0);
}

TEST_CASE("Packer: rows back to back, borders in bits, both directions of every look-up") {
  auto e = batch::encode<Words>(corpus({{"a", "b", "a", "c", "a"}, {"b"}, {"d", "a"}}));
  for (std::size_t i = 0; i < e.size(); ++i) e.target[i] = static_cast<std::int32_t>(i) - 1;
  batch::Packer<Words> packer(8);
  const std::vector<std::uint32_t> order{2, 0, 1};
  const auto b = packer.pack(e, order, 9);
  CHECK(b.shape == Shape{8, 3, 9});
  CHECK(std::vector<std::int32_t>(b.geometry.cu_seqlens, b.geometry.cu_seqlens + 4) ==
        std::vector<std::int32_t>{0, 2, 7, 8});
  CHECK(std::vector<std::int32_t>(b.targets.data, b.targets.data + 8) ==
        std::vector<std::int32_t>{5, 6, -1, 0, 1, 2, 3, 4});
  CHECK(b.real_targets == 7);
  const auto right = [&](int row, int k) { return (b.geometry.neighbours[row] >> (4 + k) & 1) != 0; };
  const auto left = [&](int row, int k) { return (b.geometry.neighbours[row] >> k & 1) != 0; };
  CHECK((right(0, 1) && !left(0, 1) && !right(0, 2)));
  CHECK((!right(1, 1) && left(1, 1)));
  CHECK((left(4, 2) && right(4, 2) && !left(4, 3) && !right(4, 3)));
  CHECK(b.geometry.neighbours[7] == 0);
  CHECK(std::vector<std::int32_t>(b.geometry.sentence, b.geometry.sentence + 8) ==
        std::vector<std::int32_t>{0, 0, 1, 1, 1, 1, 1, 2});

  const auto& w = b.words;
  CHECK(w.count == 4);  // d a b c
  CHECK(std::vector<std::int32_t>(w.index, w.index + 8) == std::vector<std::int32_t>{0, 1, 1, 2, 1, 3, 1, 2});
  std::vector<std::int32_t> back(8, -1);
  for (int s = 0; s < w.tokens.count; ++s)
    for (int i = w.tokens.starts[s]; i < w.tokens.starts[s + 1]; ++i)
      back[static_cast<std::size_t>(w.tokens.items[i])] = w.tokens.ids[s];
  CHECK(back == std::vector<std::int32_t>(w.index, w.index + 8));
  for (std::size_t t = 0; t < 4; ++t) {
    const CsrIndex& touched = w.touched[t];
    CHECK(std::is_sorted(touched.ids, touched.ids + touched.count));
    CHECK(touched.starts[touched.count] == 4 * 4);
    for (int s = 0; s < touched.count; ++s)
      for (int i = touched.starts[s]; i < touched.starts[s + 1]; ++i) {
        const int item = touched.items[i];
        CHECK(w.keys[item / 4 * Words::keys + static_cast<int>(t) * 4 + item % 4] == touched.ids[s]);
      }
  }
  // The next batch does not remember this one.
  const std::vector<std::uint32_t> one{1};
  const auto next = packer.pack(e, one, 9);
  CHECK(next.words.count == 1);
  CHECK(next.shape.rows == 1);
}

TEST_CASE("Packer: word dropout takes words as unknown, at its rate, the same for the same step") {
  auto e = batch::encode<Words>(corpus({{"alpha", "Beta", "gamma", "delta"}}));
  for (int i = 0; i < 9; ++i) {  // a long sentence of the same words
    e.word.insert(e.word.end(), e.word.begin(), e.word.end());
  }
  e.target.assign(e.word.size(), 0);
  e.sentence = {0, static_cast<std::uint32_t>(e.word.size())};
  batch::add_unknown_word_copies(e);
  REQUIRE(e.vocabulary.size() == 8);
  const auto& word = e.vocabulary[1];
  const auto& twin = e.vocabulary[5];
  CHECK(twin != word);
  CHECK(std::equal(word.begin() + 4, word.end(), twin.begin() + 4));           // looks stay
  CHECK(std::equal(twin.begin(), twin.begin() + 4, e.vocabulary[4].begin()));  // all unknown words share one NORM
  batch::Packer<Words> packer(static_cast<int>(e.word.size()));
  const std::vector<std::uint32_t> one{0};
  const auto share = [&](batch::WordDropout d) {
    const auto b = packer.pack(e, one, 9, d);
    int unknown = 0;
    for (int r = 0; r < b.shape.rows; ++r) {
      const std::int32_t* keys = b.words.keys + b.words.index[r] * Words::keys;
      unknown += std::equal(keys, keys + 4, twin.begin());
    }
    return unknown / double(b.shape.rows);
  };
  CHECK(share({}) == 0);
  CHECK(std::abs(share({.rate = 0.3f, .seed = 1}) - 0.3) < 0.04);
  CHECK(share({.rate = 0.3f, .seed = 1}) == share({.rate = 0.3f, .seed = 1}));
  CHECK(share({.rate = 0.3f, .seed = 1, .step = 1}) != share({.rate = 0.3f, .seed = 1, .step = 2}));
}

}  // namespace batch_test
