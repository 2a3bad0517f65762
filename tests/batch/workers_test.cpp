// The stages that know nothing of text: the same items in the same order for any number of threads, from any place on;
// errors at their place; nothing read beyond the ring; a clean stop at any moment.
#include "entrain/batch/workers.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "entrain/batch/mapped.hpp"
#include "entrain/core/error.hpp"

namespace {
using namespace entrain;

/// 0, 1, 2 ... `end` - 1, and another hundred each epoch.
struct Numbers {
  using Item = int;
  using Cursor = int;
  int end = 0, at = 0, fails_at = -1;
  std::uint32_t epoch = 0;
  std::shared_ptr<std::atomic<int>> given = std::make_shared<std::atomic<int>>(0);

  void start(std::uint32_t of, int cursor) { epoch = of, at = cursor; }
  int cursor() const { return at; }
  bool next(int& item) {
    if (at == fails_at) throw Error("entrain.test.1", "numbers:" + std::to_string(at), "a bad number");
    if (at == end) return false;
    item = at++ + 100 * static_cast<int>(epoch);
    ++*given;
    return true;
  }
};

/// Some items take long, so that threads overtake each other.
struct Squared {
  int fails_at = -1;
  int operator()(int& n) const {
    if (n % 7 == 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (n == fails_at) throw Error("entrain.test.2", "item " + std::to_string(n), "no square");
    return n * n;
  }
};

using Squares = batch::Mapped<Squared, Numbers>;

template <class S> std::vector<int> rest_of(S& stage) {
  std::vector<int> all;
  for (int item = 0; stage.next(item);) all.push_back(item);
  return all;
}
std::vector<int> squares(int from, int to) {
  std::vector<int> all;
  for (int i = from; i < to; ++i) all.push_back(i * i);
  return all;
}

TEST_CASE("any number of workers gives the items of one, in their order") {
  for (const int workers : {0, 1, 2, 3, 16})
    for (const int ahead : {0, 1, 5})
      for (const int end : {0, 1, 2, 40}) {
        batch::Workers<Squares> stage(Squares({}, Numbers{end}), {workers, ahead});
        stage.start(0, 0);
        CHECK(rest_of(stage) == squares(0, end));
        int item = 0;
        CHECK_FALSE(stage.next(item));  // and stays over
        stage.start(1, 0);
        CHECK(rest_of(stage) == squares(100, 100 + end));
      }
}

TEST_CASE("without threads a divided stage is pulled in turn, and one thread ahead is a prefetch") {
  batch::InTurn<Squares> turn(Squares({}, Numbers{20}));
  turn.start(0, 5);
  CHECK(rest_of(turn) == squares(5, 20));
  batch::Prefetch<Numbers> ahead(Numbers{5}, 2);
  ahead.start(2, 1);
  CHECK(rest_of(ahead) == std::vector{201, 202, 203, 204});
  batch::Prefetch<batch::Workers<Squares>> both(batch::Workers<Squares>(Squares({}, Numbers{30}), {3}), 2);
  both.start(0, 0);
  CHECK(rest_of(both) == squares(0, 30));
}

TEST_CASE("a cursor is before the first item that was not taken, whatever is ready behind it") {
  for (const int workers : {0, 1, 4})
    for (int taken = 0; taken <= 12; ++taken) {
      batch::Workers<Squares> stage(Squares({}, Numbers{12}), {workers, 6});
      CHECK(stage.cursor() == 0);
      stage.start(0, 0);
      for (int i = 0, item = 0; i < taken; ++i) REQUIRE(stage.next(item));
      const int at = stage.cursor();
      CHECK(at == taken);
      batch::Workers<Squares> again(Squares({}, Numbers{12}), {5 - workers, 3});
      again.start(0, at);
      CHECK(rest_of(again) == squares(taken, 12));
      CHECK(rest_of(stage) == squares(taken, 12));
    }
}

TEST_CASE("an exception comes behind all items before it, and ends the epoch") {
  for (const int workers : {0, 1, 4})
    for (const bool reading : {false, true}) {
      Numbers numbers{40};
      (reading ? numbers.fails_at : numbers.end) = reading ? 17 : 40;
      batch::Workers<Squares> stage(Squares(Squared{reading ? -1 : 17}, numbers), {workers, 8});
      stage.start(0, 0);
      std::vector<int> before;
      std::string said;
      try {
        for (int item = 0; stage.next(item);) before.push_back(item);
      } catch (const Error& e) {
        said = e.what();
      }
      CHECK(before == squares(0, 17));
      CHECK(said == (reading ? "entrain.test.1: numbers:17: a bad number" : "entrain.test.2: item 17: no square"));
      int item = 0;
      CHECK_FALSE(stage.next(item));
      stage.start(0, 20);  // behind the bad one
      CHECK(rest_of(stage) == squares(20, 40));
    }
}

TEST_CASE("nobody reads further ahead than told") {
  for (const int workers : {1, 3}) {
    Numbers numbers{1000};
    batch::Workers<Squares> stage(Squares({}, numbers), {workers, 6});
    stage.start(0, 0);
    int item = 0;
    for (int taken = 0; taken < 30; ++taken) {
      REQUIRE(stage.next(item));
      CHECK(*numbers.given <= taken + 1 + 6);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    CHECK(*numbers.given == 30 + 6);  // and so far they do
  }
}

TEST_CASE("it may be dropped, or started again, at any moment") {
  for (int taken = 0; taken < 20; ++taken) {
    batch::Workers<Squares> stage(Squares({}, Numbers{100}), {4, 5});
    stage.start(0, 0);
    for (int i = 0, item = 0; i < taken; ++i) stage.next(item);
    stage.start(0, 90);
    CHECK(rest_of(stage) == squares(90, 100));
    stage.start(0, taken);
    batch::Workers<Squares> moved(std::move(stage));
    int item = 0;
    REQUIRE(moved.next(item));
    CHECK(item == taken * taken);
  }
}

TEST_CASE("threads that sleep overlap on one core") {
  struct Slow {
    void operator()(int&) const { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }
  };
  const auto seconds = [](int workers) {
    batch::Workers<batch::Mapped<Slow, Numbers>> stage({Slow{}, Numbers{80}}, {workers});
    const auto begin = std::chrono::steady_clock::now();
    stage.start(0, 0);
    CHECK(rest_of(stage).size() == 80);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  CHECK(seconds(8) < seconds(1) / 3);
}
}  // namespace
