// A stage chosen at run time is the stage that was chosen.
#include "entrain/batch/pipeline/one_of.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "entrain/batch/pipeline/workers.hpp"

namespace one_of_test {
namespace {
using namespace entrain;

/// first, first + step, ... below 20, or as long as the epoch says.
template <int Step> struct Numbers {
  using Raw = int;
  using Item = long;
  struct Cursor {
    int at = 0;
    friend bool operator==(const Cursor&, const Cursor&) = default;
  };
  void start(std::uint32_t epoch, const Cursor& from) { at = from, end = 20 + static_cast<int>(epoch); }
  Cursor cursor() const { return at; }
  bool read(int& raw) {
    if (at.at >= end) return false;
    raw = at.at;
    at.at += Step;
    return true;
  }
  auto work() const {
    return [calls = 0](const int& raw, long& item) mutable { item = raw * Step + 0 * ++calls; };
  }
  Cursor at{};
  int end = 0;
};

/// The same, of which no part can be done elsewhere.
struct Odd {
  using Item = long;
  struct Cursor {
    bool over = false;
  };
  void start(std::uint32_t, const Cursor& from) { at = from; }
  Cursor cursor() const { return at; }
  bool next(long& item) {
    item = 7;
    return !std::exchange(at.over, true);
  }
  Cursor at{};
};

template <class S> std::vector<long> all(S stage, std::uint32_t epoch = 0, const typename S::Cursor& at = {}) {
  std::vector<long> items;
  stage.start(epoch, at);
  for (long item = 0; stage.next(item);) items.push_back(item);
  return items;
}

TEST_CASE("one of some divided stages is divided, and gives what that one gives") {
  using One = batch::OneOf<Numbers<2>, Numbers<5>, Numbers<3>>;
  static_assert(batch::Divided<One> && !batch::Stage<One>);
  const auto check = [](auto stage) {
    const auto expected = all(batch::InTurn(stage), 4);
    CHECK(expected.size() > 4);
    CHECK(all(batch::InTurn(One(stage)), 4) == expected);
    CHECK(all(batch::Workers<One>(One(stage), {3, 5}), 4) == expected);
  };
  check(Numbers<2>{});
  check(Numbers<5>{});
  check(Numbers<3>{});
}

TEST_CASE("a cursor leads back to the place, and another stage's to the beginning") {
  using One = batch::OneOf<Numbers<2>, Numbers<5>>;
  batch::InTurn stage(One(Numbers<5>{}));
  stage.start(0, {});
  CHECK(stage.cursor() == One::Cursor(std::in_place_index<1>));
  long item = 0;
  REQUIRE(stage.next(item));
  REQUIRE(stage.next(item));
  const One::Cursor at = stage.cursor();
  CHECK(std::get<1>(at).at == 10);
  CHECK(all(batch::InTurn(One(Numbers<5>{})), 0, at) == std::vector<long>{50, 75});
  CHECK(all(batch::InTurn(One(Numbers<5>{})), 0, One::Cursor(std::in_place_index<0>, Numbers<2>::Cursor{12})) ==
        std::vector<long>{0, 25, 50, 75});
}

/// Numbers<3> with the cursor of Numbers<2>.
struct Triples : Numbers<3> {
  using Cursor = Numbers<2>::Cursor;
  void start(std::uint32_t epoch, const Cursor& from) { Numbers<3>::start(epoch, {from.at}); }
  Cursor cursor() const { return {at.at}; }
};

TEST_CASE("stages with the same cursor have that one") {
  using One = batch::OneOf<Numbers<2>, Triples>;
  static_assert(std::is_same_v<One::Cursor, Numbers<2>::Cursor>);
  CHECK(all(batch::InTurn(One(Triples{})), 0, {15}) == std::vector<long>{45, 54});
  CHECK(all(batch::InTurn(One(Numbers<2>{})), 0, {16}) == std::vector<long>{32, 36});
  batch::InTurn stage(One(Triples{}));
  stage.start(0, {3});
  long item = 0;
  REQUIRE(stage.next(item));
  CHECK(stage.cursor().at == 6);
}

TEST_CASE("with a stage that cannot be divided, none is") {
  using One = batch::OneOf<Odd, Numbers<5>>;
  static_assert(batch::Stage<One> && !batch::Divided<One>);
  CHECK(all(One(Odd{})) == std::vector<long>{7});
  CHECK(all(One(Odd{}), 0, One::Cursor(Odd::Cursor{true})).empty());
  CHECK(all(One(Numbers<5>{})) == std::vector<long>{0, 25, 50, 75});
  CHECK(all(batch::Prefetch<One>(One(Numbers<5>{}))) == std::vector<long>{0, 25, 50, 75});
}
}  // namespace

}  // namespace one_of_test
