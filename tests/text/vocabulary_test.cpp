// tests > [text]
#include "entrain/text/corpus/vocabulary.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace vocabulary_test {
using namespace entrain::text;

TEST_CASE("Vocabulary: ids are dense, in the order of coming, and agree with std::unordered_map") {
  std::mt19937 random(4);
  Vocabulary v;
  std::unordered_map<std::string, Vocabulary::Id> oracle;
  std::vector<std::string> order;
  for (int i = 0; i < 50000; ++i) {
    const std::string s = std::to_string(random() % 20000);
    CHECK(v.contains(s) == oracle.contains(s));
    const auto [it, fresh] = oracle.emplace(s, order.size());
    if (fresh) order.push_back(s);
    REQUIRE(v.add(s) == it->second);
  }
  REQUIRE(v.size() == order.size());
  for (Vocabulary::Id id = 0; id < v.size(); ++id) {
    REQUIRE(v[id] == order[id]);
    REQUIRE(v.find(order[id]) == id);
  }
  CHECK(v.find("never came") == Vocabulary::unknown);
}

TEST_CASE("Vocabulary: empty strings, NUL bytes and long strings are strings like others") {
  Vocabulary v;
  CHECK(v.find("") == Vocabulary::unknown);
  CHECK(v.add("") == 0);
  CHECK(v.add(std::string_view("\0", 1)) == 1);
  CHECK(v.add(std::string_view("\0\0", 2)) == 2);
  CHECK(v.add(std::string(100000, 'x')) == 3);
  CHECK(v.add("") == 0);
  CHECK(v[2].size() == 2);
  for (int i = 0; i < 1000; ++i) v.add(v[3].substr(0, static_cast<std::size_t>(i + 3)));  // pieces of its own memory
  CHECK(v.size() == 1004);
  CHECK(v.find(std::string(500, 'x')) == 501);
  CHECK(v[0].empty());
}

TEST_CASE("Vocabulary: a copy is equal, order counts") {
  Vocabulary a, b, c;
  a.add("x"), a.add("yz");
  b.add("yz"), b.add("x");
  c.add("xy"), c.add("z");
  const Vocabulary copy = a;
  CHECK(copy == a);
  CHECK(copy.find("yz") == 1);
  CHECK(!(a == b));
  CHECK(!(a == c));
}

TEST_CASE("Vocabulary: frozen, it knows what it knows and refuses the rest") {
  Vocabulary v;
  v.add("O");
  v.add("B-PER");
  v.freeze();
  CHECK(v.frozen());
  CHECK(v.add("B-PER") == 1);
  CHECK_THROWS_WITH(v.add("B-LOC"),
                    "entrain.text.60: new string \"B-LOC\", expected one of the 2 known; add it before "
                    "Vocabulary::freeze, or look it up with find");
  CHECK(v.size() == 2);
}

TEST_CASE("Counts: a minimum count keeps the order and says what it left out") {
  Counts counts;
  for (const char* word : {"the", "cat", "the", "dog", "cat", "the", "emu"}) counts.add(word);
  counts.add("yak", 9);
  CHECK(counts.count("the") == 3);
  CHECK(counts.count("gnu") == 0);
  Vocabulary v;
  v.add("[PAD]");
  CHECK(counts.at_least(2, v) == 2);
  REQUIRE(v.size() == 4);
  CHECK(v[0] == "[PAD]");
  CHECK(v[1] == "the");
  CHECK(v[2] == "cat");
  CHECK(v[3] == "yak");
  CHECK(counts.at_least(1).size() == 5);
  CHECK(counts.at_least(100).empty());
}

}  // namespace vocabulary_test
