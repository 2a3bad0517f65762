// tests > [batch]
#include "entrain/batch/encode/words_with_vectors.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/pack/validate.hpp"

namespace words_with_vectors_test {
using namespace entrain;

namespace {
using Hashed = batch::HashedWords<2, 30, 10>;
using Words = batch::WordsWithVectors<Hashed, 6>;

std::shared_ptr<const text::Vocabulary> vocabulary(std::initializer_list<std::string_view> words) {
  text::Vocabulary v;
  for (const std::string_view word : words) v.add(word);
  return std::make_shared<const text::Vocabulary>(std::move(v));
}
const Words& features() {
  static const Words made(vocabulary({"oslo", "Bo", "bo", "über", "in"}));
  return made;
}
}  // namespace

TEST_CASE("a word's vector is that of its spelling, or of its spelling in lower case, or row 0") {
  CHECK(features().row_of("oslo") == 1);
  CHECK(features().row_of("Oslo") == 1);
  CHECK(features().row_of("OSLO") == 1);
  CHECK(features().row_of("Bo") == 2);
  CHECK(features().row_of("bo") == 3);
  CHECK(features().row_of("BO") == 3);
  CHECK(features().row_of("ÜBER") == 4);
  CHECK(features().row_of("lima") == 0);
  CHECK(features().row_of("") == 0);
}

TEST_CASE("a word has the rows of its hashes and then its vector's; word dropout keeps the vector") {
  const Words::Word word = features().reader()("Oslo");
  const Hashed::Word hashed = Hashed::word("Oslo"), unknown = Hashed::unknown(hashed);
  CHECK(std::vector(word.begin(), word.end() - 1) == std::vector(hashed.begin(), hashed.end()));
  CHECK(word.back() == 1);
  const Words::Word dropped = Words::unknown(word);
  CHECK(std::vector(dropped.begin(), dropped.end() - 1) == std::vector(unknown.begin(), unknown.end()));
  CHECK(dropped != word);
  CHECK(dropped.back() == 1);
}

TEST_CASE("a batch has a row of the table for each distinct word, and the words of each row") {
  Words::Vocabulary words;
  for (const char* const word : {"Oslo", "lima", "OSLO", "in", "accra"}) words.push_back(features().reader()(word));
  Words::Buffer buffer;
  const std::vector<std::int32_t> batch{3, 0, 1, 3, 2, 4};
  const Words::View view = buffer.pack(features(), batch, {}, words);
  REQUIRE(view.count == 5);
  CHECK(std::vector(view.index, view.index + 6) == std::vector{0, 1, 2, 0, 3, 4});
  CHECK(std::vector(view.rows, view.rows + 5) == std::vector{5, 1, 0, 1, 0});  // in, Oslo, lima, OSLO, accra
  CHECK(std::vector(view.vectors.ids, view.vectors.ids + view.vectors.count) == std::vector{0, 1, 5});
  CHECK(std::vector(view.vectors.starts, view.vectors.starts + 4) == std::vector{0, 2, 4, 5});
  CHECK(std::vector(view.vectors.items, view.vectors.items + 5) == std::vector{2, 4, 1, 3, 0});
  Hashed::Buffer plain;  // the other arrays are those of the words without vectors
  Hashed::Vocabulary hashed;
  for (const char* const word : {"Oslo", "lima", "OSLO", "in", "accra"}) hashed.push_back(Hashed::word(word));
  const Hashed::View same = plain.pack({}, batch, {}, hashed);
  CHECK(std::vector(view.keys, view.keys + 20) == std::vector(same.keys, same.keys + 20));
  CHECK(std::vector(view.touched[1].ids, view.touched[1].ids + view.touched[1].count) ==
        std::vector(same.touched[1].ids, same.touched[1].ids + same.touched[1].count));
  // one word alone, after a larger batch
  const Words::View one = buffer.pack(features(), std::vector<std::int32_t>{1}, {}, words);
  CHECK(one.count == 1);
  CHECK(one.rows[0] == 0);
  CHECK(one.vectors.count == 1);
  CHECK(buffer.pack(features(), {}, {}, words).vectors.count == 0);
}

TEST_CASE("words with vectors: more words than rows, no words, and rows outside the table are refused") {
  CHECK_THROWS_WITH_AS(
      Words(vocabulary({"a", "b", "c", "d", "e", "f"}), "v.txt"),
      "entrain.batch.7: v.txt: 6 words with vectors, expected at most 5, as the table has 6 rows; raise "
      "the number of rows in the type of the vectors",
      Error);
  CHECK_THROWS_WITH_AS(Words().reader(), doctest::Contains("entrain.batch.8: word vectors: features without words"),
                       Error);
  text::Corpus corpus;
  corpus.push("Oslo", "O", 1);
  corpus.end_sentence();
  auto e = batch::encode<Words>(corpus, features());
  CHECK(batch::fault_of(features(), e.vocabulary).empty());
  e.vocabulary[0].back() = 6;
  CHECK(batch::fault_of(features(), e.vocabulary) == "a word with a row outside its table");
  e.vocabulary[0].back() = 5;
  CHECK(batch::fault_of(features(), e.vocabulary).empty());
  e.vocabulary[0][1] = -1;
  CHECK(!batch::fault_of(features(), e.vocabulary).empty());
}

}  // namespace words_with_vectors_test
