// tests > [vectors]
//
// Training of word vectors from files: the same bits for any number of threads, and vectors that know which words are
// used alike.
#include "entrain/vectors/trainer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "entrain/core/random.hpp"
#include "entrain/word_vectors.hpp"
#include "tests/scratch.hpp"
#include "tests/vectors/golden.hpp"

using namespace entrain;

namespace {

/// Sentences in which each of two sets of words has its own neighbours.
std::string two_topics(int sentences) {
  Random random(7);
  std::string text;
  for (int s = 0; s < sentences; ++s) {
    const bool sea = random.below(2) == 0;
    for (int w = 0; w < 9; ++w) {
      text += random.below(4) == 0 ? "the" : (sea ? "sea" : "land") + std::to_string(random.below(6));
      text += w == 8 ? '\n' : ' ';
    }
  }
  return text;
}

vectors::Options small_options() {
  vectors::Options o;
  o.unit = text::TextUnit::line;
  o.min_count = 1, o.window = 3, o.epochs = 3, o.alpha = 0.05, o.batch_words = 100, o.sample = 0.05;
  return o;
}

template <class Objective> vectors::WordVectors trained(const std::vector<std::string>& files, int threads) {
  vectors::Trainer<Objective> trainer(small_options(), threads);
  return trainer.template fit<text::Whitespace>(files);
}

double cosine(const vectors::WordVectors& v, std::string_view a, std::string_view b) {
  const auto x = v[v.words.find(a)], y = v[v.words.find(b)];
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t c = 0; c < v.width; ++c) {
    const double p = static_cast<double>(x[c]), q = static_cast<double>(y[c]);
    xy += p * q, xx += p * p, yy += q * q;
  }
  return xy / std::sqrt(xx * yy);
}

template <class Objective> void same_bits_and_topics() {
  const test::Scratch folder;
  const std::vector<std::string> files{folder.file("a.txt", two_topics(3000)), folder.file("b.txt", two_topics(2000))};
  const vectors::WordVectors one = trained<Objective>(files, 1);
  CHECK(one.size() == 13);
  CHECK(one.words[0] == "the");
  for (const int threads : {2, 4}) {
    const vectors::WordVectors more = trained<Objective>(files, threads);
    CHECK(more.words == one.words);
    CHECK(more.rows == one.rows);
  }
  CHECK(cosine(one, "sea0", "sea1") > cosine(one, "sea0", "land1") + 0.3);
  CHECK(cosine(one, "land2", "land5") > cosine(one, "land2", "sea5") + 0.3);
}

}  // namespace

TEST_CASE("word vectors: any number of threads gives the same bits, and words of one topic are near") {
  same_bits_and_topics<vectors::SkipGram<20>>();
  same_bits_and_topics<vectors::Cbow<20>>();
}

TEST_CASE("word vectors: losses and vectors equal those that numpy computes by the formulas") {
  std::ifstream golden(ENTRAIN_SOURCE_DIR "/tests/vectors/golden/numpy.txt");
  std::string comment;
  REQUIRE(std::getline(golden, comment));
  test::against_numpy<vectors::Trainer<vectors::SkipGram<6>>>(golden);
  test::against_numpy<vectors::Trainer<vectors::Cbow<6>>>(golden);
}

TEST_CASE("word vectors: the loss falls") {
  const test::Scratch folder;
  const std::vector<std::string> files{folder.file("a.txt", two_topics(3000))};
  vectors::Trainer<vectors::SkipGram<16>> trainer(small_options());
  trainer.count<text::Whitespace>(files);
  double first = 0, last = 0;
  std::uint64_t steps = 0, words = 0;
  trainer.train<text::Whitespace>(files, [&](const vectors::TrainingProgress& now) {
    if (steps++ == 0) first = now.loss;
    last = now.loss;
    if (now.epoch == 0) words = now.words;
  });
  CHECK(words == trainer.lexicon().total());
  CHECK(first == doctest::Approx(6 * std::log(2.)).epsilon(0.15));  // less: samples that are the word itself
  CHECK(last < first - 0.2);
}

TEST_CASE("word vectors: counting drops rare words, and orders the others by count") {
  const test::Scratch folder;
  const std::vector<std::string> files{folder.file("a.txt", "b a b\nc A c b \xFF\n"),
                                       folder.file("b.txt", "a a d a\n")};
  vectors::Options o = small_options();
  o.min_count = 2;
  const auto counted = vectors::count_words<text::Whitespace>(files, o);
  CHECK(counted.words == 12);
  CHECK(counted.repaired == 1);
  REQUIRE(counted.lexicon.size() == 3);
  CHECK(counted.lexicon.words()[0] == "a");
  CHECK(counted.lexicon.count(0) == 4);
  CHECK(counted.lexicon.words()[1] == "b");
  CHECK(counted.lexicon.words()[2] == "c");
  CHECK(counted.lexicon.total() == 9);
  CHECK(counted.lexicon.dropped() == 3);
  CHECK(counted.lexicon.find("d") == -1);
  o.lower = true;
  CHECK(vectors::count_words<text::Whitespace>(files, o, 2).lexicon.count(0) == 5);
  o.max_vocab_size = 2;  // of the first block only b stays
  const auto pruned = vectors::count_words<text::Whitespace>(files, o).lexicon;
  REQUIRE(pruned.size() == 2);
  CHECK(pruned.count(0) == 3);
  CHECK(pruned.count(1) == 3);
  o.min_count = 100;
  CHECK(test::has(test::sentence([&] { vectors::count_words<text::Whitespace>(files, o); }), "entrain.vectors.1"));
}

TEST_CASE("n-grams: those of fastText, in the same buckets") {
  std::vector<std::uint32_t> found;
  vectors::each_ngram("caf\xC3\xA9", 3, 4, 2000000, [&](std::uint32_t b) { found.push_back(b); });
  // <ca <caf caf café afé afé> fé>, with FNV-1a of signed bytes
  const auto bucket = [](std::string_view s) {
    std::uint32_t h = 2166136261u;
    for (const char c : s) h = (h ^ static_cast<std::uint32_t>(static_cast<std::int8_t>(c))) * 16777619u;
    return h % 2000000;
  };
  std::vector<std::uint32_t> expected;
  for (const char* s : {"<ca", "<caf", "caf", "caf\xC3\xA9", "af\xC3\xA9", "af\xC3\xA9>", "f\xC3\xA9>"})
    expected.push_back(bucket(s));
  CHECK(found == expected);
  found.clear();
  vectors::each_ngram("a", 1, 1, 10, [&](std::uint32_t b) { found.push_back(b); });  // neither < nor >
  CHECK(found.size() == 1);
}

TEST_CASE("n-grams: a word that training has not met is near those with the same parts, for any number of threads") {
  const test::Scratch folder;
  const std::vector<std::string> files{folder.file("a.txt", two_topics(3000))};
  vectors::Options o = small_options();
  o.min_n = 3, o.max_n = 5, o.bucket = 500;
  std::vector<float> sea, one;
  for (const int threads : {1, 4}) {
    vectors::Trainer<vectors::SkipGram<20>> trainer(o, threads);
    vectors::WordVectors v = trainer.fit<text::Whitespace>(files);
    CHECK(trainer.vector("sea1") == std::vector<float>(v[v.words.find("sea1")].begin(), v[v.words.find("sea1")].end()));
    sea = trainer.vector("seas");
    v.words.add("seas");
    v.rows.insert(v.rows.end(), sea.begin(), sea.end());
    CHECK(cosine(v, "seas", "sea1") > cosine(v, "seas", "land1") + 0.1);
    if (threads == 1) one = v.rows;
    CHECK(v.rows == one);
  }
  vectors::Options wrong = small_options();
  wrong.max_n = 2;
  CHECK(
      test::has(test::sentence([&] { vectors::Trainer<vectors::SkipGram<20>>{wrong}; }), "entrain.vectors.2: min_n 3"));
  wrong = small_options();
  wrong.window = 1000;  // 2,016 rows of 1,024 numbers do not fit into 4 MiB
  CHECK(test::has(test::sentence([&] { vectors::Trainer<vectors::SkipGram<1000>>{wrong}; }),
                  "entrain.vectors.2: window 1000, expected a smaller one: with these vectors its rows do not fit"));
  wrong.window = 5;
  CHECK_NOTHROW(vectors::Trainer<vectors::SkipGram<1000>>{wrong});
}
