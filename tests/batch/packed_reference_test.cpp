// tests > [batch]
//
// Batches of pieces compared with an implementation that pushes one number after the other: sentences of one word and
// of hundreds, words of one piece and of more than are put at once, windows, one batch after another in the same
// memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/pieces.hpp"
#include "entrain/batch/encode/windows.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"

namespace packed_reference_test {
using namespace entrain;

namespace {
using Ids = std::vector<std::int32_t>;

template <int Positions> using Small = batch::Pieces<Positions, 70, text::WordPiece>;

/// 0 [UNK], 1 [CLS], 2 [SEP], 3 [X], then 30 letters that begin a word and the same inside of one.
template <int Positions> Small<Positions> features(Ids before, Ids after) {
  std::vector<std::string> pieces{"[UNK]", "[CLS]", "[SEP]", "[X]"};
  const std::string letters = "abcdefghijklmnopqrstuvwxyz0123";
  for (const char c : letters) pieces.push_back(std::string(1, c));
  for (const char c : letters) pieces.push_back("##" + std::string(1, c));
  return {std::make_shared<const text::WordPiece>(pieces), std::move(before), std::move(after)};
}
std::string word_of_pieces(std::mt19937& draw, std::size_t pieces) {
  std::string word;
  for (; pieces > 0; --pieces) word += "abcdefghijklmnopqrstuvwxyz"[draw() % 26];
  return word;
}

struct Expected {
  Ids ids, position, window, word_of, first, cu_seqlens{0};
  Ids targets, sentence, of_sentence{0};
  std::vector<std::uint8_t> neighbours;
  std::map<std::int32_t, Ids> touched, placed;
};

template <int Positions>
Expected packed(const batch::Encoded<Small<Positions>>& e, const std::vector<std::uint32_t>& order) {
  Expected x;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t from = e.sentence[order[k]];
    const auto row = static_cast<std::int32_t>(x.targets.size()), n = e.length(order[k]);
    const auto word = [&](int i) { return e.vocabulary[static_cast<std::size_t>(e.word[from + std::size_t(i)])]; };
    for (int i = 0; i < n; ++i) {
      x.targets.push_back(e.target[from + std::size_t(i)]);
      x.sentence.push_back(static_cast<std::int32_t>(k));
      unsigned near = 0;
      for (int d = 1; d <= 3; ++d) near |= unsigned(i >= d) << d | unsigned(i + d < n) << (4 + d);
      x.neighbours.push_back(static_cast<std::uint8_t>(near));
      x.first.push_back(-1);
    }
    x.of_sentence.push_back(row + n);
    const auto put = [&](const batch::Window& w) {
      const std::int32_t start = x.cu_seqlens.back();
      const auto one = [&](std::int32_t id, std::int32_t stands_for) {
        x.position.push_back(static_cast<std::int32_t>(x.ids.size()) - start);
        x.window.push_back(static_cast<std::int32_t>(x.cu_seqlens.size()) - 1);
        x.ids.push_back(id), x.word_of.push_back(stands_for);
      };
      for (const std::int32_t id : e.features.before()) one(id, -1);
      for (int i = w.begin; i < w.end; ++i) {
        const bool kept = w.keep_begin <= i && i < w.keep_end;
        if (kept) x.first[std::size_t(row + i)] = static_cast<std::int32_t>(x.ids.size());
        bool begins = kept;
        for (const std::int32_t id : word(i)) one(id, std::exchange(begins, false) ? row + i : -1);
      }
      for (const std::int32_t id : e.features.after()) one(id, -1);
      x.cu_seqlens.push_back(static_cast<std::int32_t>(x.ids.size()));
    };
    const int room = e.features.room();
    batch::windows(
        n, room, room / 4, [&](int i) { return static_cast<int>(word(i).size()); }, put);
  }
  for (std::size_t i = 0; i < x.ids.size(); ++i) {
    x.touched[x.ids[i]].push_back(static_cast<std::int32_t>(i));
    x.placed[x.position[i]].push_back(static_cast<std::int32_t>(i));
  }
  return x;
}

template <class T> std::vector<T> list(const T* from, std::size_t n) { return {from, from + n}; }
void check(const CsrIndex& s, const std::map<std::int32_t, Ids>& expected, std::size_t positions) {
  REQUIRE(s.count == static_cast<int>(expected.size()));
  REQUIRE(s.positions == static_cast<int>(positions));
  REQUIRE(s.starts[0] == 0);
  int k = 0;
  for (const auto& [id, items] : expected) {
    CHECK(s.ids[k] == id);
    REQUIRE(s.starts[k + 1] - s.starts[k] == static_cast<int>(items.size()));
    CHECK(list(s.items + s.starts[k], items.size()) == items);
    ++k;
  }
}

template <int Positions> void run(Ids before, Ids after, std::uint32_t seed) {
  std::mt19937 draw(seed);
  text::Corpus corpus;
  const std::vector<std::size_t> lengths{1, 1, 2, 3, 5, 6, 7, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300};
  const std::size_t most_pieces = Positions - before.size() - after.size();
  for (int s = 0; s < 90; ++s) {
    for (std::size_t n = lengths[draw() % lengths.size()]; n > 0; --n) {
      const std::size_t pieces = draw() % 4 != 0 ? 1 + draw() % 2 : 1 + draw() % 12;
      corpus.push(draw() % 300 == 0 ? word_of_pieces(draw, 50) : word_of_pieces(draw, pieces), 0);
    }
    corpus.end_sentence();
  }
  auto e = batch::encode<Small<Positions>>(corpus, features<Positions>(before, after));
  for (auto& target : e.target) target = static_cast<std::int32_t>(draw() % 5) - 1;
  for (auto& target : e.target) target = target < 0 ? -100 : target;
  for (std::size_t w = 0; w < e.vocabulary.size(); ++w) REQUIRE(e.vocabulary[w].size() <= most_pieces);
  batch::Packer<Small<Positions>> reserved(draw() % 2 == 0 ? 700 : 3), grows;
  for (int round = 0; round < 60; ++round) {
    std::vector<std::uint32_t> order(round == 0 ? 0 : draw() % 12);
    for (auto& s : order) s = static_cast<std::uint32_t>(draw() % e.sentences());
    if (draw() % 3 == 0) order.push_back(static_cast<std::uint32_t>(e.sentences() - 1));  // where the columns end
    const Expected x = packed<Positions>(e, order);
    for (auto* packer : {&reserved, &grows}) {
      const auto b = packer->pack(e, order, 4);
      const std::size_t rows = x.targets.size(), count = x.ids.size();
      REQUIRE(b.shape == Shape{static_cast<int>(rows), static_cast<int>(order.size()), 4});
      CHECK(list(b.targets.data, rows) == x.targets);
      CHECK(b.real_targets == std::count_if(x.targets.begin(), x.targets.end(), [](int t) { return t >= 0; }));
      CHECK(list(b.geometry.sentence, rows) == x.sentence);
      CHECK(list(b.geometry.neighbours, rows) == x.neighbours);
      CHECK(list(b.geometry.cu_seqlens, order.size() + 1) == x.of_sentence);
      REQUIRE(b.words.count == static_cast<int>(count));
      REQUIRE(b.words.windows == static_cast<int>(x.cu_seqlens.size()) - 1);
      CHECK(list(b.words.cu_seqlens, x.cu_seqlens.size()) == x.cu_seqlens);
      CHECK(list(b.words.ids, count) == x.ids);
      CHECK(list(b.words.position, count) == x.position);
      CHECK(list(b.words.window, count) == x.window);
      CHECK(list(b.words.word_of, count) == x.word_of);
      CHECK(list(b.words.first, rows) == x.first);
      check(b.words.touched, x.touched, count);
      check(b.words.placed, x.placed, count);
      int sum = 0;
      for (const std::uint32_t s : order) sum += e.rows[s];
      CHECK(sum == b.words.count);
    }
  }
}
}  // namespace

TEST_CASE("packed pieces: as put one by one, in windows of any size and with any pieces around them") {
  run<10>({1}, {2}, 1);
  run<40>({1}, {2}, 2);
  run<128>({1, 3}, {3, 2}, 3);
  run<130>({}, {}, 4);
  run<512>({1}, {2}, 5);
}

}  // namespace packed_reference_test
