// tests > [text]
//
// Spellings to numbers, compared with a map of strings.
#include "entrain/text/corpus/word_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace word_table_test {
using namespace entrain::text;

namespace {
/// Adds the first `size` bytes of `text`, which ends where its memory does. The spelling is that of the word before.
WordTable::Found add(WordTable& table, std::string_view text, std::size_t size) {
  static Spelling spelling;
  const std::vector<char> copy(text.begin(), text.end());
  const std::string_view there(copy.data(), copy.size());
  spelling.read(there, size);
  return table.add(there.substr(0, size), spelling);
}
}  // namespace

TEST_CASE("word table: a word has one number, whatever follows it, as in a map of strings") {
  std::mt19937 draw(11);
  WordTable table;
  std::map<std::string, std::int32_t> known;
  std::size_t fresh = 0, old = 0, grown = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 30'000; ++i) {
      std::string text;  // few letters, so that words come again; NUL among them, as it is after short ones too
      const std::size_t size = draw() % 5 == 0 ? draw() % 60 : draw() % 5;
      for (std::size_t k = 0; k < size; ++k) text += "ab\0"[draw() % 3];
      const std::string word = text;
      for (std::size_t k = draw() % 40; k > 0; --k) text += "xyz\0"[draw() % 4];
      const auto [at, is_new] = known.try_emplace(word, static_cast<std::int32_t>(known.size()));
      const auto found = add(table, text, size);
      REQUIRE(found.number == at->second);
      REQUIRE(found.fresh == is_new);
      ++(is_new ? fresh : old);
    }
    REQUIRE(table.size() == static_cast<std::int32_t>(known.size()));
    for (const auto& [word, number] : known) {
      CHECK(add(table, word, word.size()).number == number);
      ++grown;
    }
    table.clear();
    known.clear();
    CHECK(table.size() == 0);
  }
  CHECK(fresh > 5'000);
  CHECK(old > 50'000);
  CHECK(grown == fresh);
}

TEST_CASE("word table: words that differ in one byte, in length alone, or beyond what is compared in numbers") {
  WordTable table;
  std::int32_t words = 0;
  for (std::size_t size = 0; size <= 30; ++size) {
    const std::string word(size, 'a');
    CHECK(add(table, word, size).number == words++);
    for (std::size_t k = 0; k < size; ++k) {
      std::string other = word;
      other[k] = 'b';
      const auto found = add(table, other + "tail that is not read", size);
      CHECK(found.fresh);
      CHECK(found.number == words++);
    }
    const std::string longer = word + '\0';
    CHECK(add(table, longer, size + 1).number == words++);
  }
}

TEST_CASE("word table: many words that are alike but for eight bytes in a row, or but for their length") {
  for (const std::size_t at : {0u, 8u, 16u}) {
    WordTable table;
    for (int round = 0; round < 2; ++round)
      for (std::int32_t i = 0; i < 3000; ++i) {
        std::string word(24, 'w');
        for (std::size_t k = 0, left = static_cast<std::size_t>(i); k < 8; ++k, left /= 5)
          word[at + k] = static_cast<char>('a' + left % 5);
        const auto found = add(table, word, 24);
        REQUIRE(found.number == i);
        REQUIRE(found.fresh == (round == 0));
      }
  }
  WordTable table;  // zeros are after a word too; in a small table it is compared with those without
  for (std::int32_t first = 0; first < 100'000; first += 10) {
    for (int round = 0; round < 2; ++round)
      for (std::int32_t i = 0; i < 30; ++i) {
        const std::string word = std::to_string(first + i / 3) + std::string(static_cast<std::size_t>(i % 3), '\0');
        REQUIRE(add(table, word, word.size()).number == i);
      }
    table.clear();
  }
}

}  // namespace word_table_test
