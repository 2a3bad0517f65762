// tests > [batch]
//
// Rows grouped by their places in ranges, compared with a map of lists.
#include "entrain/batch/encode/places.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <vector>

namespace places_test {
using namespace entrain;

namespace {
void check(batch::Places& places, const std::vector<std::int32_t>& lengths) {
  std::vector<std::int32_t> cu_rows{0};
  std::map<std::int32_t, std::vector<std::int32_t>> expected;
  for (const std::int32_t n : lengths) {
    for (std::int32_t p = 0; p < n; ++p) expected[p].push_back(cu_rows.back() + p);
    cu_rows.push_back(cu_rows.back() + n);
  }
  const CsrIndex s = places(cu_rows);
  REQUIRE(s.count == static_cast<int>(expected.size()));
  REQUIRE(s.positions == cu_rows.back());
  REQUIRE(s.starts[0] == 0);
  for (const auto& [place, rows] : expected) {
    CHECK(s.ids[place] == place);
    REQUIRE(s.starts[place + 1] - s.starts[place] == static_cast<std::int32_t>(rows.size()));
    CHECK(std::vector<std::int32_t>(s.items + s.starts[place], s.items + s.starts[place + 1]) == rows);
  }
}
}  // namespace

TEST_CASE("places: what sorting by place gives, of ranges of any length, empty ones too") {
  std::mt19937 draw(9);
  batch::Places places;
  for (int round = 0; round < 300; ++round) {
    const auto longest = 1 + draw() % 40;
    std::vector<std::int32_t> lengths;
    for (std::size_t s = draw() % 30; s > 0; --s)
      lengths.push_back(static_cast<std::int32_t>(draw() % 4 == 0 ? longest : draw() % (longest + 1)));
    check(places, lengths);
  }
}

TEST_CASE("places: many ranges, long ones, none") {
  batch::Places places;
  places.reserve(70, 3);
  check(places, {});
  check(places, {0, 0});
  check(places, {70});
  check(places, {1, 600, 2});
  for (const std::size_t many : {31u, 32u, 33u, 63u, 64u, 65u, 500u}) {
    check(places, std::vector<std::int32_t>(many, 1));
    check(places, std::vector<std::int32_t>(many, 3));
    std::vector<std::int32_t> each_another;
    for (std::size_t i = 0; i < many; ++i) each_another.push_back(static_cast<std::int32_t>(i * 7 % many));
    check(places, each_another);
  }
}

}  // namespace places_test
