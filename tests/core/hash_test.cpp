// tests > [core]
#include "entrain/core/hash.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <unordered_set>

using namespace entrain;

TEST_CASE("hash: MurmurHash64A passes SMHasher's verification") {
  std::string key, hashes;
  for (int i = 0; i < 256; ++i) {
    const std::uint64_t h = hash_bytes(key, static_cast<std::uint64_t>(256 - i));
    hashes.append(reinterpret_cast<const char*>(&h), 8);
    key += static_cast<char>(i);
  }
  CHECK(static_cast<std::uint32_t>(hash_bytes(hashes, 0)) == 0x1F0D3804);
}

TEST_CASE("hash: strings and keys are those of spaCy and thinc") {
  static_assert(hash_string("coffee") == 3197928453018144401u);  // as spaCy's documentation prints it
  static_assert(hash_string("apple") == 8566208034543834098u);
  static_assert(hash_string("") == 0);
  static_assert(mix(1, 7).key[0] == 3089165797u);

  std::ifstream golden(ENTRAIN_SOURCE_DIR "/tests/core/golden/hash.txt");
  REQUIRE(golden.is_open());
  int strings = 0, keys = 0;
  for (std::string line; std::getline(golden, line);) {
    std::istringstream fields(line);
    std::string kind, hex;
    fields >> kind;
    if (kind == "string") {
      std::uint64_t id = 0;
      fields >> hex >> id;
      std::string bytes;
      for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
      CHECK(hash_string(bytes) == id);
      ++strings;
    } else if (kind == "keys") {
      std::uint64_t id = 0;
      std::uint32_t seed = 0;
      fields >> id >> seed;
      for (const std::uint32_t found : mix(id, seed).key) {
        std::uint32_t expected = 0;
        fields >> expected;
        CHECK(found == expected);
      }
      ++keys;
    }
  }
  CHECK(strings == 48);
  CHECK(keys == 96);
}

TEST_CASE("hash: near strings do not meet, and neither do keys of near ids") {
  std::unordered_set<std::uint64_t> ids;
  for (int i = 0; i < 200000; ++i) ids.insert(hash_string(std::to_string(i)));
  CHECK(ids.size() == 200000);
}

TEST_CASE("hash: every row of a table is reached, but for key 0 of seed 8") {
  // 2^16 ids over 4096 rows: 16 a row are expected, and an empty one has chance 4096 * e^-16.
  for (const std::uint32_t seed : {0u, 7u, 8u, 9u, 10u, 11u}) {
    for (int which = 0; which < 4; ++which) {
      std::unordered_set<std::uint32_t> rows;
      for (std::uint64_t id = 0; id < 65536; ++id) rows.insert(mix(id, seed).key[which] % 4096);
      CHECK(rows.size() == (seed == 8 && which == 0 ? 2048 : 4096));
    }
  }
}
