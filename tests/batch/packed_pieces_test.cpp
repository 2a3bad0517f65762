// tests > [batch]
//
// Batches of words of one to eight pieces compared with rows appended one by one: pieces beyond a word's limit are
// gone.
#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/pieces.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"

namespace packed_pieces_test {
using namespace entrain;

TEST_CASE("packed pieces: each row is the next piece, and the first of a word represents it") {
  using Forty = batch::Pieces<40, 9, text::WordPiece>;
  const Forty features(std::make_shared<const text::WordPiece>(
                           std::vector<std::string>{"[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "##a", "##b", "##c"}),
                       {1}, {2});
  std::mt19937 draw(6);
  text::Corpus corpus;
  for (int s = 0; s < 200; ++s) {
    int left = 38;  // pieces that one window holds
    for (std::size_t n = 1 + draw() % 12; n > 0; --n) {
      std::string word;
      for (std::size_t k = draw() % 3 == 0 ? 1 + draw() % 8 : 1; k > 0; --k) word += "abc"[draw() % 3];
      if (left -= static_cast<int>(word.size()); left < 0) break;
      corpus.push(word, 0);
    }
    corpus.end_sentence();
  }
  const auto e = batch::encode<Forty>(corpus, features);
  batch::Packer<Forty> packer;
  for (int round = 0; round < 100; ++round) {
    std::vector<std::uint32_t> order(draw() % 20);
    for (auto& s : order) s = static_cast<std::uint32_t>(draw() % e.sentences());
    std::vector<std::int32_t> ids, word_of, first, position, window;
    std::int32_t words = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      std::int32_t place = 0;
      const auto put = [&](std::int32_t id, std::int32_t word) {
        ids.push_back(id), word_of.push_back(word), position.push_back(place++);
        window.push_back(static_cast<std::int32_t>(k));
      };
      put(1, -1);
      for (std::size_t i = corpus.sentence[order[k]]; i < corpus.sentence[order[k] + 1]; ++i, ++words) {
        first.push_back(static_cast<std::int32_t>(ids.size()));
        const std::string_view word = corpus.token(i);
        for (std::size_t j = 0; j < word.size(); ++j) put((j == 0 ? 3 : 6) + word[j] - 'a', j == 0 ? words : -1);
      }
      put(2, -1);
    }
    const auto b = packer.pack(e, order, 3);
    REQUIRE(b.words.count == static_cast<int>(ids.size()));
    REQUIRE(b.words.windows == static_cast<int>(order.size()));
    CHECK(std::vector<std::int32_t>(b.words.ids, b.words.ids + ids.size()) == ids);
    CHECK(std::vector<std::int32_t>(b.words.word_of, b.words.word_of + ids.size()) == word_of);
    CHECK(std::vector<std::int32_t>(b.words.position, b.words.position + ids.size()) == position);
    CHECK(std::vector<std::int32_t>(b.words.window, b.words.window + ids.size()) == window);
    CHECK(std::vector<std::int32_t>(b.words.first, b.words.first + first.size()) == first);
  }
}

}  // namespace packed_pieces_test
