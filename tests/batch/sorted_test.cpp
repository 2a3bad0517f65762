// tests > [batch]
//
// Positions grouped by what they refer to, beside a map of lists.
#include "entrain/batch/sorted.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace sorted_test {
using namespace entrain;

TEST_CASE("sorted: ids ascend, and in each the positions, whatever was sorted before") {
  std::mt19937 draw(1);
  batch::Sorted sorted, reserved;
  reserved.reserve(500, 70'000);
  for (int round = 0; round < 400; ++round) {
    const std::size_t values = std::vector<std::size_t>{1, 2, 63, 64, 65, 128, 1000, 30'522, 70'000}[draw() % 9];
    const std::size_t positions = draw() % 10 == 0 ? 0 : draw() % 500;
    std::vector<std::int32_t> value(positions);
    const std::size_t used = draw() % 3 == 0 ? std::min<std::size_t>(values, 5) : values;  // some names often
    for (auto& v : value) v = static_cast<std::int32_t>(values - 1 - draw() % used);
    std::map<std::int32_t, std::vector<std::int32_t>> expected;
    for (std::size_t i = 0; i < positions; ++i) expected[value[i]].push_back(static_cast<std::int32_t>(i));
    for (batch::Sorted* one : {&sorted, &reserved}) {
      const Segments s = one->sort(positions, values, [&](std::size_t i) { return value[i]; });
      REQUIRE(s.count == static_cast<int>(expected.size()));
      REQUIRE(s.positions == static_cast<int>(positions));
      REQUIRE(s.starts[0] == 0);
      int k = 0;
      for (const auto& [id, items] : expected) {
        CHECK(s.ids[k] == id);
        REQUIRE(s.starts[k + 1] - s.starts[k] == static_cast<int>(items.size()));
        CHECK(std::equal(items.begin(), items.end(), s.items + s.starts[k]));
        ++k;
      }
    }
  }
}

TEST_CASE("sorted: places of rows in stretches are what sorting them gives, between other sorts, empty stretches too") {
  std::mt19937 draw(9);
  batch::Sorted sorted, by_places;
  for (int round = 0; round < 300; ++round) {
    const std::size_t longest = 1 + draw() % 40;
    std::vector<std::int32_t> cu_rows{0}, place;
    for (std::size_t s = draw() % 30; s > 0; --s) {
      const auto n = static_cast<std::int32_t>(draw() % 4 == 0 ? longest : draw() % (longest + 1));
      for (std::int32_t p = 0; p < n; ++p) place.push_back(p);
      cu_rows.push_back(cu_rows.back() + n);
    }
    const auto value = [&](std::size_t i) { return place[i]; };
    const Segments expected = sorted.sort(place.size(), longest, value);
    if (draw() % 3 == 0) by_places.sort(place.size(), 1, [](std::size_t) { return 0; });
    if (draw() % 3 == 0) by_places.sort(place.size(), longest, value);
    const Segments s = by_places.places(cu_rows, longest);
    REQUIRE(s.count == expected.count);
    REQUIRE(s.positions == expected.positions);
    CHECK(std::equal(s.ids, s.ids + s.count, expected.ids));
    CHECK(std::equal(s.starts, s.starts + s.count + 1, expected.starts));
    CHECK(std::equal(s.items, s.items + s.positions, expected.items));
    const Segments alike = by_places.sort(place.size(), 1, [](std::size_t) { return 0; });
    for (std::int32_t i = 0; i < alike.positions; ++i) REQUIRE(alike.items[i] == i);
    REQUIRE(alike.starts[alike.count] == alike.positions);
  }
}

}  // namespace sorted_test
