// Columns against std::vector: the same calls, the same numbers; views, and what becomes of them when they change.
#include "entrain/batch/encode/column.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace column_test {
using entrain::batch::Column;
using Numbers = std::vector<std::int32_t>;

Numbers copy_of(const Column<std::int32_t>& column) { return {column.begin(), column.end()}; }

TEST_CASE("a column holds what a vector holds, after any calls") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 draw(seed);
    Numbers outside{1, 2, 3, 4, 5};
    Column<std::int32_t> column;
    if (seed % 2 == 1)
      column = Column<std::int32_t>::view(outside, std::shared_ptr<const void>(std::shared_ptr<void>(), &outside));
    Numbers expected = copy_of(column);
    for (int call = 0; call < 300; ++call) {
      const auto number = static_cast<std::int32_t>(draw() % 1000);
      const std::size_t size = draw() % 50;
      switch (draw() % 9) {
        case 0:
        case 1:
        case 2:
          column.push_back(number), expected.push_back(number);
          break;
        case 3:
          column.append(Numbers(size, number));
          expected.insert(expected.end(), size, number);
          break;
        case 4:
          column.reserve(size);
          break;
        case 5:
          if (draw() % 4 == 0) column.resize(size, number), expected.resize(size, number);
          break;
        case 6:
          if (draw() % 9 == 0) column.assign(size, number), expected.assign(size, number);
          break;
        case 7:
          if (draw() % 30 == 0) column.clear(), expected.clear();
          break;
        default:
          if (!expected.empty()) {  // numbers of its own, while they move
            column.push_back(column[0]), expected.push_back(Numbers(expected)[0]);
            const Numbers before = expected;
            if (before.size() < 200) {
              column.insert(column.end(), column.begin(), column.end());
              expected.insert(expected.end(), before.begin(), before.end());
            }
          }
      }
      REQUIRE(copy_of(column) == expected);
      REQUIRE(column.size() == expected.size());
      REQUIRE(column.empty() == expected.empty());
      if (!expected.empty()) {
        REQUIRE(column.back() == expected.back());
      }
    }
  }
}

TEST_CASE("columns compare by their numbers, and a span sees them") {
  Column<std::int32_t> a{1, 2, 3};
  CHECK(a == Numbers{1, 2, 3});
  CHECK(a != Numbers{1, 2});
  CHECK(a != Numbers{1, 2, 4});
  CHECK(Column<std::int32_t>() == Numbers{});
  a = {7, 8};
  const auto& constant = a;
  CHECK(std::span(constant).size() == 2);
  const std::span seen(a);
  seen[1] = 9;
  CHECK(a == Numbers{7, 9});
  using Word = std::array<std::int32_t, 3>;
  Column<Word> words{{1, 2, 3}, {4, 5, 6}};
  words.push_back(words[0]);
  CHECK(words.back() == Word{1, 2, 3});
}

TEST_CASE("a copy owns its numbers; what is moved away is empty") {
  Column<std::int32_t> a{1, 2, 3};
  Column<std::int32_t> b = a;
  b[0] = 7;
  CHECK(a[0] == 1);
  const auto* const where = a.data();
  Column<std::int32_t> c = std::move(a);
  CHECK(c.data() == where);
  CHECK(a.empty());  // NOLINT: what is left is part of the contract
  a.push_back(4);
  CHECK(a == Numbers{4});
  auto& self = c;
  c = self;
  CHECK(c == Numbers{1, 2, 3});
}

TEST_CASE("a view reads and writes in its place, keeps its memory alive, and leaves it when it grows") {
  const auto memory = std::make_shared<Numbers>(Numbers{1, 2, 3});
  auto view = Column<std::int32_t>::view(*memory, memory);
  CHECK(view.is_view());
  CHECK(view.data() == memory->data());
  CHECK(memory.use_count() == 2);
  view[1] = 5;
  CHECK(*memory == Numbers{1, 5, 3});

  auto moved = std::move(view);
  CHECK(moved.data() == memory->data());
  auto copy = moved;
  CHECK_FALSE(copy.is_view());
  copy[0] = 9;
  CHECK(*memory == Numbers{1, 5, 3});
  CHECK(memory.use_count() == 2);

  SUBCASE("push_back") {
    moved.push_back(4);
    CHECK(moved == Numbers{1, 5, 3, 4});
  }
  SUBCASE("reserve, even of less") {
    moved.reserve(1);
    CHECK(moved == Numbers{1, 5, 3});
  }
  SUBCASE("append") {
    moved.append(Numbers{6, 7});
    CHECK(moved == Numbers{1, 5, 3, 6, 7});
  }
  SUBCASE("resize to more") {
    moved.resize(4);
    CHECK(moved == Numbers{1, 5, 3, 0});
  }
  SUBCASE("clear") {
    moved.clear();
    CHECK(moved.empty());
  }
  SUBCASE("assign") {
    moved.assign(2, 8);
    CHECK(moved == Numbers{8, 8});
  }
  CHECK_FALSE(moved.is_view());
  CHECK(memory.use_count() == 1);
  CHECK(*memory == Numbers{1, 5, 3});
}

TEST_CASE("a view that is cut stays where it is") {
  const auto memory = std::make_shared<Numbers>(Numbers{1, 2, 3});
  auto view = Column<std::int32_t>::view(*memory, memory);
  view.resize(2);
  CHECK(view == Numbers{1, 2});
  view.push_back(7);
  CHECK(view == Numbers{1, 2, 7});
  CHECK(*memory == Numbers{1, 2, 3});
}

}  // namespace column_test
