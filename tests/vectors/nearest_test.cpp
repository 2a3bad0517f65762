// tests > [vectors]
//
// Nearest words and analogies against what small vectors make obvious.
#include "entrain/vectors/nearest.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/scratch.hpp"

using namespace entrain;

namespace {

/// king, queen, man, woman in a plane; far words elsewhere.
vectors::WordVectors royal() {
  vectors::WordVectors v;
  v.width = 17;  // more than a block of sums
  const auto add = [&](const char* word, float x, float y, float last) {
    v.words.add(word);
    std::vector<float> row(v.width);
    row[0] = x, row[1] = y, row[16] = last;
    v.rows.insert(v.rows.end(), row.begin(), row.end());
  };
  add("man", 1, 0, 0), add("woman", 1, 1, 0), add("king", 5, 0, 3), add("queen", 5, 4, 3), add("apple", 0, -1, 0);
  add("none", 0, 0, 0);
  return v;
}
std::string words(const vectors::Nearest& near, const std::vector<vectors::Neighbour>& found) {
  std::string out;
  for (const auto& n : found) out += std::string(near.spelling(n)) + " ";
  return out;
}

}  // namespace

TEST_CASE("nearest words are ordered by cosine, without the word itself") {
  const vectors::WordVectors v = royal();
  const vectors::Nearest near(v);
  CHECK(words(near, near.to("man", 2)) == "king woman ");
  CHECK(near.to("man", 1)[0].cosine == doctest::Approx(5 / std::sqrt(34.)));
  CHECK(words(near, near.to("man", 99)) == "king woman queen apple none ");
  CHECK(near.to("man", 0).empty());
  CHECK(words(vectors::Nearest(v, 2), vectors::Nearest(v, 2).to("king", 9)) == "man woman ");
  CHECK(test::sentence([&] { near.to("Man", 1); }) ==
        "entrain.vectors.20: no vector for 'Man', expected a word of the vectors; the word in lower case, 'man', has "
        "one");
  CHECK(test::has(test::sentence([&] { near.to("pear", 1); }), "no vector for 'pear', expected a word of the vectors"));
}

TEST_CASE("analogies: a is to b as c is to the answer") {
  const vectors::WordVectors v = royal();
  const vectors::Nearest near(v);
  CHECK(words(near, near.analogy("man", "woman", "king", 1)) == "queen ");
  const test::File file(": royal\nman woman king queen\nking queen man apple\nman woman pear queen\n\n: other\n", "q");
  const auto scores = near.score(file.path());
  REQUIRE(scores.size() == 2);
  CHECK(scores[0].kind == "royal");
  CHECK(scores[0].right == 1);
  CHECK(scores[0].questions == 2);
  CHECK(scores[0].unknown == 1);
  CHECK(scores[1].questions == 0);
  const test::File bad("man woman king\n", "q");
  CHECK(test::has(test::sentence([&] { near.score(bad.path()); }), "q:1: 3 words, expected four"));
}
