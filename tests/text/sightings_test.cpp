// tests > [text]
//
// What was seen before: against containers of the standard library, and what is left of it in bounded memory.
#include "entrain/text/check/sightings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "entrain/core/hash.hpp"
#include "entrain/text/corpus/lengths.hpp"

namespace sightings_test {
using namespace entrain::text;

namespace {

struct Entry {
  std::uint64_t hash = 0;
  int value = 0;
};

std::uint64_t hash_of(std::uint64_t n) { return entrain::hash_bytes({reinterpret_cast<const char*>(&n), sizeof n}, 1); }

}  // namespace

TEST_CASE("a table of hashes is a map of them, whatever their bits") {
  for (const std::uint64_t step :
       {std::uint64_t{1}, std::uint64_t{64}, std::uint64_t{1} << 32, std::uint64_t{1} << 58}) {
    CAPTURE(step);
    HashTable<Entry> table;
    std::map<std::uint64_t, int> reference;
    CHECK(table.find(step) == nullptr);
    std::mt19937_64 random(7);
    for (int i = 0; i < 3000; ++i) {
      const std::uint64_t hash = (1 + random() % 500) * step;
      if (hash == 0) continue;
      const auto [entry, added] = table.insert({hash, i});
      const auto [there, fresh] = reference.emplace(hash, i);
      CHECK(added == fresh);
      CHECK(entry->value == there->second);
      CHECK(table.size() == reference.size());
    }
    for (std::uint64_t n = 1; n <= 510; ++n) {
      const auto there = reference.find(n * step);
      const Entry* const found = n * step == 0 ? nullptr : table.find(n * step);
      REQUIRE((found != nullptr) == (there != reference.end()));
      if (found != nullptr) CHECK(found->value == there->second);
    }
    table.keep_if([](const Entry& e) { return e.value % 2 == 0; });
    std::size_t even = 0;
    for (const auto& [hash, value] : reference) {
      CHECK((table.find(hash) != nullptr) == (value % 2 == 0));
      even += value % 2 == 0;
    }
    std::size_t met = 0;
    table.each([&](const Entry& e) { CHECK(reference.at(e.hash) == e.value), ++met; });
    CHECK(met == even);
    CHECK(table.size() == even);
  }
}

TEST_CASE("repeats are counted as long as all can be remembered") {
  Repeats repeats(100);
  for (const std::uint64_t n : std::vector<std::uint64_t>{5, 6, 7, 6, 5, 5, 0, 0}) repeats.see(n, 10 * repeats.seen());
  CHECK(repeats.seen() == 8);
  CHECK(repeats.exact());
  CHECK(repeats.repeated() == 4);
  CHECK(repeats.first() == std::pair<std::uint64_t, std::uint64_t>(30, 10));  // the second 6, of the first
  Repeats others(100);
  for (const std::uint64_t n : std::vector<std::uint64_t>{6, 6, 8}) others.see(n, 0);
  CHECK(others.shared_with(repeats) == std::pair<std::uint64_t, std::uint64_t>(1, 2));
  CHECK(repeats.shared_with(others) == std::pair<std::uint64_t, std::uint64_t>(1, 4));
  CHECK(Repeats().repeated() == 0);
}

TEST_CASE("of more than can be remembered the share is about that of all") {
  // 60,000 things, of which every third repeats the one before
  Repeats repeats(1000), half(1000);
  std::set<std::uint64_t> seen;
  std::uint64_t again = 0;
  for (std::uint64_t i = 0; i < 60'000; ++i) {
    const std::uint64_t thing = i % 3 == 2 ? i - 1 : i;
    again += !seen.insert(thing).second;
    repeats.see(hash_of(thing), i);
    if (thing % 2 == 0) half.see(hash_of(thing), i);
  }
  CHECK(again == 20'000);
  CHECK(!repeats.exact());
  CHECK(repeats.seen() == 60'000);
  CHECK(repeats.repeated() > 18'000);
  CHECK(repeats.repeated() < 22'000);
  const auto [shared, of] = repeats.shared_with(half);
  CHECK(of > 300);
  CHECK(static_cast<double>(shared) / static_cast<double>(of) == doctest::Approx(0.5).epsilon(0.15));
  const auto [all, of_half] = half.shared_with(repeats);  // which remembers fewer of its own
  CHECK(of_half > 200);
  CHECK(all == of_half);
}

TEST_CASE("lengths: percentiles as those of all lengths in order, the place of the longest, the mean") {
  std::mt19937 random(3);
  for (const std::size_t n : std::vector<std::size_t>{1, 2, 3, 99, 100, 101, 250}) {
    CAPTURE(n);
    Lengths lengths;
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < n; ++i) {
      all.push_back(random() % 40);
      lengths.add(all.back(), i + 1);
    }
    const auto longest = static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin());
    CHECK(lengths.words().find("(line " + std::to_string(longest + 1) + ")") != std::string::npos);
    std::sort(all.begin(), all.end());
    CHECK(lengths.count() == n);
    CHECK(lengths.percentile(50) == all[(n - 1) / 2]);
    CHECK(lengths.percentile(99) == all[(99 * n + 99) / 100 - 1]);
    CHECK(lengths.percentile(100) == all.back());
  }
  Lengths three;
  CHECK(three.words() == "none");
  for (const std::size_t length : std::vector<std::size_t>{4, 1, 3}) three.add(length, 10 * length);
  CHECK(three.words() == "min 1, median 3, 99 % 4, max 4 (line 40), mean 2.7");
  three.add(4, 90);
  CHECK(three.words() == "min 1, median 3, 99 % 4, max 4 (line 40), mean 3.0");
}

}  // namespace sightings_test
