// tests > [text]
#include "entrain/text/corpus/features.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "entrain/core/hash.hpp"

namespace features_test {
using entrain::hash_string;
using namespace entrain::text;

TEST_CASE("features: the ids are those of spaCy's LOWER, PREFIX, SUFFIX and SHAPE") {
  std::ifstream golden(ENTRAIN_SOURCE_DIR "/tests/text/golden/features.txt");
  REQUIRE(golden.is_open());
  int words = 0;
  std::string line;
  std::getline(golden, line);  // the heading
  while (std::getline(golden, line)) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == '\t') {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    REQUIRE(fields.size() == 6);
    const WordFeatures found = features(fields[0]);
    INFO(fields[0]);
    CHECK(shape(fields[0]) == fields[1]);
    CHECK(found.norm == std::stoull(fields[2]));
    CHECK(found.prefix == std::stoull(fields[3]));
    CHECK(found.suffix == std::stoull(fields[4]));
    CHECK(found.shape == std::stoull(fields[5]));
    ++words;
  }
  CHECK(words > 200);
}

TEST_CASE("features: shapes") {
  CHECK(shape("London") == "Xxxxx");
  CHECK(shape("McDonald's2") == "XxXxxxx'xd");
  CHECK(shape("12345678") == "dddd");
  CHECK(shape("!!!!!!!!") == "!!!!");
  CHECK(shape("A1b2") == "Xdxd");
}

TEST_CASE("features: affixes are the first three and the last two code points in lower case") {
  const auto same = [](const char* word, const char* prefix3, const char* suffix2) {
    INFO(word);
    CHECK(affixes(word).prefix3 == hash_string(prefix3));
    CHECK(affixes(word).suffix2 == hash_string(suffix2));
  };
  same("", "", "");
  same("A", "a", "a");
  same("Ab", "ab", "ab");
  same("ABC", "abc", "bc");
  same("London", "lon", "on");
  same("ÆRØ", "ærø", "rø");
  same("Çelik-ŞAĞ", "çel", "ağ");
  same("😀😀x😀", "😀😀x", "x😀");
  // Broken bytes count as U+FFFD each; however many there are, nothing is written past its place.
  same(std::string(300, '\x80').c_str(), "\uFFFD\uFFFD\uFFFD", "\uFFFD\uFFFD");
}

TEST_CASE("features: the fast path, the Unicode path and the plain definition agree") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 5000; ++trial) {
    std::string word;
    std::vector<std::size_t> starts;
    const bool ascii = trial % 2 == 0;
    for (auto n = random() % (trial % 50 == 0 ? 700 : 20); n > 0; --n) {
      char bytes[4];
      starts.push_back(word.size());
      const auto range = ascii ? 0x80u : 0x3000u;
      word.append(bytes, encode(static_cast<char32_t>(random() % range), bytes));
    }
    const std::size_t n = starts.size();
    WordFeatures plain{};
    if (n > 0) {
      plain = {hash_string(lower(word)), hash_string(word.substr(0, n > 1 ? starts[1] : word.size())),
               hash_string(word.substr(n > 3 ? starts[n - 3] : 0)), hash_string(shape(word))};
    }
    REQUIRE(features(word) == plain);
    std::vector<char> room(lower_capacity(word.size()));
    REQUIRE(detail::unicode_features(word, room) == plain);
  }
}

TEST_CASE("features: hostile words") {
  CHECK(features("") == WordFeatures{});
  const std::string bytes("\xFF\xFE\xC0", 3);
  CHECK(features(bytes).norm == hash_string("\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"));
  CHECK(features(bytes).prefix == hash_string("\xFF"));
  CHECK(features(std::string(200000, 'Q')).norm == hash_string(std::string(200000, 'q')));
  CHECK(features(std::string(200000, 'Q')).shape == hash_string("LONG"));
  CHECK(features(std::string(200000, '\xFF')).suffix == hash_string("\xFF\xFF\xFF"));
}

}  // namespace features_test
