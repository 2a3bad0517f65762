// tests > [batch]
//
// Positions grouped by what they refer to, compared with a map of lists.
#include "entrain/batch/encode/sorted.hpp"

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
      const CsrIndex s = one->sort(positions, values, [&](std::size_t i) { return value[i]; });
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

TEST_CASE("sorted: positions of one value after those of many, and the other way round") {
  std::mt19937 draw(9);
  batch::Sorted sorted;
  for (int round = 0; round < 50; ++round) {
    const std::size_t positions = draw() % 200;
    if (draw() % 2 == 0) sorted.sort(positions, 40, [](std::size_t i) { return static_cast<int>(39 - i % 40); });
    const CsrIndex alike = sorted.sort(positions, 1, [](std::size_t) { return 0; });
    REQUIRE(alike.count == (positions > 0));
    REQUIRE(alike.positions == static_cast<int>(positions));
    for (std::int32_t i = 0; i < alike.positions; ++i) REQUIRE(alike.items[i] == i);
    REQUIRE(alike.starts[alike.count] == alike.positions);
  }
}

}  // namespace sorted_test
