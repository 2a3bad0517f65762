// tests > [batch]
//
// Words of texts by their numbers: those of a map that knows the text alone, whatever was read before; and encoded
// parts put together are what encoding the whole gives.
#include "entrain/batch/encode/reader.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/encode/joined.hpp"
#include "entrain/batch/encode/pieces.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"

namespace reader_test {
using namespace entrain;

namespace {
/// What is read of a word: its bytes, up to three of them; made counts how often it was asked.
struct FirstLetters {
  using Vocabulary = std::vector<std::string>;
  struct Maker {
    int* made;
    std::size_t size = 0;
    std::string operator()(std::string_view word) {
      ++*made;
      size = word.size();
      return std::string(word.substr(0, 3));
    }
    bool cut() const { return size > 3; }
  };
  Maker reader() const { return {nullptr}; }
};

std::string word(std::mt19937& draw, unsigned kinds) {
  const unsigned kind = static_cast<unsigned>(draw()) % kinds;
  return kind % 50 == 0 ? std::string(kind / 50 * 7 % 40, 'q') + std::to_string(kind) : std::to_string(kind * 7919u);
}

using Ten = batch::Pieces<10, 13, text::WordPiece>;
Ten pieces() {
  std::vector<std::string> vocabulary{"[UNK]", "[CLS]", "[SEP]"};
  for (char c = '0'; c <= '4'; ++c)
    vocabulary.push_back(std::string(1, c)), vocabulary.push_back(std::string("##") + c);
  return {std::make_shared<const text::WordPiece>(std::move(vocabulary)), {1}, {2}};
}

template <class Features> void check_joined(const Features& features) {
  std::mt19937 draw(8);
  std::size_t shared = 0;
  for (int round = 0; round < 20; ++round) {
    text::Corpus whole;
    batch::Encoded<Features> joined;
    batch::Joined<Features> join(joined);
    batch::Reader<Features> read(features.reader(), round % 2 == 0 ? 10 : 1000);
    batch::Encoded<Features> part;
    for (int p = 0; p < 6; ++p) {
      text::Corpus corpus;
      for (int s = 0; s < 8; ++s) {
        for (std::size_t n = draw() % 15; n > 0; --n) {
          const std::string w = word(draw, 400);
          corpus.push(w, 0);
          whole.push(w, 0);
        }
        corpus.end_sentence();
        whole.end_sentence();
      }
      batch::encode(corpus, features, read, part);
      CHECK(part.word == batch::encode<Features>(corpus, features).word);
      CHECK(part.unread.cut == batch::encode<Features>(corpus, features).unread.cut);
      join(part);
    }
    const auto expected = batch::encode<Features>(whole, features);
    CHECK(joined.sentence == expected.sentence);
    CHECK(joined.rows == expected.rows);
    CHECK(joined.target == expected.target);
    REQUIRE(joined.size() == expected.size());
    for (std::size_t i = 0; i < joined.size(); ++i) {
      const auto &a = joined.vocabulary[static_cast<std::size_t>(joined.word[i])],
                 &b = expected.vocabulary[static_cast<std::size_t>(expected.word[i])];
      REQUIRE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    }
    for (std::size_t a = 0; a < joined.vocabulary.size(); ++a)  // each reading once
      for (std::size_t b = 0; b < a; ++b) {
        const auto &x = joined.vocabulary[a], &y = joined.vocabulary[b];
        REQUIRE_FALSE(std::equal(x.begin(), x.end(), y.begin(), y.end()));
      }
    shared += expected.vocabulary.size() - joined.vocabulary.size();
  }
  CHECK((Features::by_words || shared > 0));  // some words read alike
}
}  // namespace

TEST_CASE("reader: a text's words are numbered from 0 as they come, whatever was read before; each is made once") {
  for (const std::size_t remembered : {0u, 40u, 100'000u}) {
    std::mt19937 draw(2);
    int made = 0;
    batch::Reader<FirstLetters> read(FirstLetters::Maker{&made}, remembered);
    std::size_t distinct = 0;
    std::map<std::string, int> all;
    for (int text = 0; text < 50; ++text) {
      std::string bytes;
      std::vector<std::uint64_t> begin{0};
      std::vector<std::string> words(draw() % 200);
      for (std::string& w : words) {
        w = word(draw, 300);
        bytes += w;
        begin.push_back(bytes.size());
        all[w] = 0;
      }
      std::vector<std::int32_t> numbers(words.size());
      FirstLetters::Vocabulary vocabulary;
      read.start();
      read(bytes, begin, numbers.data(), vocabulary);
      std::map<std::string, std::int32_t> known;
      std::size_t cut = 0;
      for (std::size_t i = 0; i < words.size(); ++i) {
        const auto [at, fresh] = known.try_emplace(words[i], static_cast<std::int32_t>(known.size()));
        REQUIRE(numbers[i] == at->second);
        REQUIRE(vocabulary[static_cast<std::size_t>(numbers[i])] == words[i].substr(0, 3));
        cut += fresh && words[i].size() > 3;
      }
      CHECK(vocabulary.size() == known.size());
      CHECK(read.cut() == cut);
      distinct += known.size();
    }
    if (remembered == 0) CHECK(static_cast<std::size_t>(made) == distinct);
    if (remembered == 40)
      CHECK((static_cast<std::size_t>(made) > all.size() && static_cast<std::size_t>(made) <= distinct));
    if (remembered == 100'000) CHECK(static_cast<std::size_t>(made) == all.size());
  }
}

TEST_CASE("joined: parts put together are what encoding them as one gives, but for words that read alike") {
  check_joined(batch::HashedWords<2, 100'000, 1000, 1000, 1000>{});
  check_joined(pieces());
}

}  // namespace reader_test
