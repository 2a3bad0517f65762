// The stages that know nothing of text: the same items in the same order for any number of threads, from any place on;
// errors at their place; nothing read beyond the ring; a clean stop at any moment.
#include "entrain/batch/pipeline/workers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "entrain/batch/pipeline/mapped.hpp"
#include "entrain/core/error.hpp"
#include "tests/attempts.hpp"

namespace workers_test {
namespace {
using namespace entrain;

/// 0, 1, 2 ... `end` - 1, and another hundred each epoch.
struct Numbers {
  using Item = int;
  using Cursor = int;
  int end = 0, at = 0, fails_at = -1;
  std::uint32_t epoch = 0;
  std::shared_ptr<std::atomic<int>> given = std::make_shared<std::atomic<int>>(0);
  std::shared_ptr<std::atomic<int>> failed = std::make_shared<std::atomic<int>>(0);

  void start(std::uint32_t of, int cursor) { epoch = of, at = cursor; }
  int cursor() const { return at; }
  bool next(int& item) {
    if (at == fails_at) ++*failed;
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
  for (const int workers : {0, 1, 2, 3, 16, batch::automatic})
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

TEST_CASE("a cursor is before the first item that was not taken, whatever is ready after it") {
  for (const int workers : {0, 1, 4, batch::automatic})
    for (int taken = 0; taken <= 12; ++taken) {
      batch::Workers<Squares> stage(Squares({}, Numbers{12}), {workers, 6});
      CHECK(stage.cursor() == 0);
      stage.start(0, 0);
      for (int i = 0, item = 0; i < taken; ++i) REQUIRE(stage.next(item));
      const int at = stage.cursor();
      CHECK(at == taken);
      batch::Workers<Squares> again(Squares({}, Numbers{12}), {3, 3});
      again.start(0, at);
      CHECK(rest_of(again) == squares(taken, 12));
      CHECK(rest_of(stage) == squares(taken, 12));
    }
}

TEST_CASE("an exception comes after all items before it, wherever it is, and ends the epoch") {
  for (const int workers : {0, 1, 4, batch::automatic})
    for (const bool reading : {false, true})
      for (const int bad : {0, 1, 2, 7, 8, 9, 17, 39}) {
        Numbers numbers{40};
        if (reading) numbers.fails_at = bad;
        batch::Workers<Squares> stage(Squares(Squared{reading ? -1 : bad}, numbers), {workers, 8});
        stage.start(0, 0);
        std::vector<int> before;
        std::string said;
        try {
          for (int item = 0; stage.next(item);) before.push_back(item);
        } catch (const Error& e) {
          said = e.what();
        }
        CHECK(before == squares(0, bad));
        const std::string n = std::to_string(bad);
        CHECK(*numbers.failed == reading);  // no thread reads on after it
        CHECK(said == (reading ? "entrain.test.1: numbers:" + n + ": a bad number"
                               : "entrain.test.2: item " + n + ": no square"));
        int item = 0;
        CHECK_FALSE(stage.next(item));
        CHECK_FALSE(stage.next(item));
        if (!reading && workers > 0) CHECK(stage.cursor() == bad);
        stage.start(0, bad + 1);  // after the bad one
        CHECK(rest_of(stage) == squares(bad + 1, 40));
        stage.start(0, bad);  // from it on
        CHECK_THROWS_AS(stage.next(item), Error);
      }
}

TEST_CASE("what a stage throws when it starts reaches the caller, and it can be started again") {
  struct Picky : Numbers {
    void start(std::uint32_t of, int cursor) {
      if (cursor == 13) throw Error("entrain.test.3", "13", "no such place");
      Numbers::start(of, cursor);
    }
  };
  for (const int workers : {0, 2, batch::automatic}) {
    batch::Workers<Picky> stage(Picky{{20}}, {workers});
    CHECK_THROWS_AS(stage.start(0, 13), Error);
    int item = 0;
    CHECK_FALSE(stage.next(item));
    stage.start(0, 0);
    REQUIRE(stage.next(item));
    CHECK_THROWS_AS(stage.start(0, 13), Error);
    CHECK_FALSE(stage.next(item));
    stage.start(0, 18);
    CHECK(rest_of(stage) == std::vector{18, 19});
  }
}

TEST_CASE("no thread reads further ahead than the limit") {
  for (const int workers : {1, 3, batch::automatic})
    for (const int ahead : {6, 40}) {
      Numbers numbers{1000};
      batch::Workers<Squares> stage(Squares({}, numbers), {workers, ahead});
      stage.start(0, 0);
      int item = 0;
      for (int taken = 0; taken < 30; ++taken) {
        REQUIRE(stage.next(item));
        CHECK(*numbers.given <= taken + 1 + ahead);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      CHECK(*numbers.given <= 30 + ahead);
      if (workers > 0) CHECK(*numbers.given > 30 + ahead - std::max(1, ahead / 4));  // and so far they do
      CHECK(stage.measured().depth <= ahead);
    }
}

TEST_CASE("it may be dropped, or started again, at any moment") {
  for (const int workers : {1, 4, batch::automatic})
    for (int taken = 0; taken < 20; ++taken) {
      batch::Workers<Squares> stage(Squares({}, Numbers{100}), {workers, 5});
      stage.start(0, 0);
      for (int i = 0, item = 0; i < taken; ++i) stage.next(item);
      if (taken % 3 == 1) std::this_thread::sleep_for(std::chrono::milliseconds(3));  // until the line is full
      stage.start(0, 90);
      CHECK(rest_of(stage) == squares(90, 100));
      stage.start(0, taken);
      batch::Workers<Squares> moved(std::move(stage));
      int item = 0;
      REQUIRE(moved.next(item));
      CHECK(item == taken * taken);
    }
  batch::Workers<Squares> never(Squares({}, Numbers{100}), {batch::automatic});
}

/// Sleeps, or keeps a core busy, for n microseconds of the thread; what changes while it works.
struct Costs {
  std::shared_ptr<std::atomic<int>> sleeps = std::make_shared<std::atomic<int>>(0);
  std::shared_ptr<std::atomic<int>> computes = std::make_shared<std::atomic<int>>(0);
  void operator()(int&) const {
    if (*sleeps > 0) std::this_thread::sleep_for(std::chrono::microseconds(*sleeps));
    const double began = batch::seconds_of(CLOCK_THREAD_CPUTIME_ID);
    while (*computes > 0 && batch::seconds_of(CLOCK_THREAD_CPUTIME_ID) - began < 1e-6 * *computes) {
    }
  }
};
using Costly = batch::Mapped<Costs, Numbers>;

/// Takes items and sees that they are the right ones, until there are that many threads or many items were taken.
int take_until(batch::Workers<Costly>& stage, int& at, int most, auto enough, int microseconds = 0) {
  for (int item = 0, i = 0; i < most && !enough(stage.measured().threads); ++i) {
    REQUIRE(stage.next(item));
    REQUIRE(item == at++);
    if (microseconds > 0) std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
  }
  return stage.measured().threads;
}

TEST_CASE("automatic: threads come and go with what items cost, and the items stay the same") {
  Costs costs;
  batch::Workers<Costly> stage(Costly(costs, Numbers{1'000'000'000}), {batch::automatic});
  stage.start(0, 0);
  int at = 0;
  *costs.sleeps = 1000;
  CHECK(take_until(stage, at, 1000, [](int n) { return n > 16; }) > 16);
  CHECK(stage.measured().depth >= 32);
  *costs.sleeps = 0;  // nothing: who takes them makes them
  CHECK(take_until(stage, at, 3'000'000, [](int n) { return n == 0; }) == 0);
  CHECK(take_until(stage, at, 20'000, [](int n) { return n != 0; }) == 0);
  CHECK(stage.cursor() == at);
  *costs.sleeps = 2000;
  CHECK(take_until(stage, at, 3000, [](int n) { return n > 16; }) > 16);
  // Slowly taken: some are parked.
  CHECK(take_until(
            stage, at, 1000, [](int n) { return n < 5; }, 3000) < 5);
  const auto m = stage.measured();
  CHECK(m.most_threads > 16);
  CHECK(m.items == static_cast<std::uint64_t>(at));
  CHECK(m.waited_for_item > 0.001);
  CHECK(m.waited_for_room > 0.01);
  CHECK(m.cost.waiting > 0.1);
  CHECK(m.cost.seconds() > m.cost.waiting);
}

TEST_CASE("automatic: threads that compute are never more than the cores") {
  for (const int count : {1, 3}) {
    Costs costs;
    *costs.computes = 500;
    const auto cores = std::make_shared<batch::Cores>(count);
    batch::Workers<Costly> stage(Costly(costs, Numbers{400}), {.workers = batch::automatic, .cores = cores});
    stage.start(0, 0);
    int at = 0;
    take_until(stage, at, 400, [&](int n) { return n > count; });
    CHECK(at == 400);
    CHECK(stage.measured().most_threads == count);
  }
  // Others keep some of them busy; it says how many it does.
  Costs costs;
  *costs.computes = 500;
  const auto cores = std::make_shared<batch::Cores>(4);
  batch::Workers<Costly> stage(Costly(costs, Numbers{100'000}), {.workers = batch::automatic, .cores = cores});
  const std::size_t outer = cores->enrol();
  cores->says(outer, 3);
  stage.start(0, 0);
  int at = 0;
  CHECK(take_until(stage, at, 200, [&](int n) { return n > 1; }) == 1);
  cores->says(outer, 1);
  CHECK(take_until(stage, at, 1000, [&](int n) { return n > 2; }) == 3);
  CHECK(take_until(stage, at, 200, [&](int n) { return n > 3; }) == 3);
  CHECK(cores->left(outer).by_all <
        3.5);  // three threads; what other programs leave them on two cores may be half of one
  CHECK(cores->left(outer).by_all > 0.9);
  cores->says(outer, 3);
  CHECK(take_until(stage, at, 1000, [&](int n) { return n == 1; }) == 1);
}

TEST_CASE("a stage among others: sources inside sources, threads of all kinds, any epoch") {
  using Inner = batch::Workers<Squares>;
  using Middle = batch::Workers<batch::Mapped<Costs, Inner>>;
  const auto cores = std::make_shared<batch::Cores>(2);
  for (const int workers : {1, 2, batch::automatic}) {
    batch::Prefetch<Middle> outer(
        Middle(
            batch::Mapped<Costs, Inner>(Costs{}, Inner(Squares({}, Numbers{50}), {.workers = workers, .cores = cores})),
            {workers, 3, nullptr, cores}),
        2);
    for (const std::uint32_t epoch : {0u, 2u}) {
      const int from = 100 * static_cast<int>(epoch);
      outer.start(epoch, 0);
      CHECK(rest_of(outer) == squares(from, from + 50));
      outer.start(epoch, 0);
      for (int i = 0, item = 0; i < 11; ++i) REQUIRE(outer.next(item));
      const int at = outer.cursor();
      CHECK(at == 11);
      outer.start(epoch, at);
      CHECK(rest_of(outer) == squares(from + 11, from + 50));
    }
  }
}

TEST_CASE("a slow reader, slow workers, a slow taker, by chance; stopped by chance") {
  struct Moody {
    std::uint32_t state = 1;
    void rest() {
      state = state * 1664525u + 1013904223u;
      if (state >> 30 == 0) std::this_thread::sleep_for(std::chrono::microseconds(state >> 23 & 255));
    }
  };
  struct Source : Numbers {
    Moody moody{7};
    bool next(int& item) {
      moody.rest();
      return Numbers::next(item);
    }
  };
  struct Work {
    Moody moody;
    void operator()(int& n) {
      moody.state += static_cast<std::uint32_t>(n);
      moody.rest();
      n = n * n;
    }
  };
  Moody taker{3}, chance{11};
  for (int round = 0; round < 60; ++round) {
    chance.rest();
    const int workers = static_cast<int>(chance.state >> 16 & 7) - 1, ahead = static_cast<int>(chance.state >> 20 & 15);
    batch::Workers<batch::Mapped<Work, Source>> stage({Work{}, Source{{100}}}, {workers, ahead});
    for (int starts = 0, from = 0; starts < 3; ++starts) {
      chance.rest();
      stage.start(0, from);
      const int count = static_cast<int>(chance.state >> 16 & 127);
      for (int i = 0, item = 0; i < count && stage.next(item); ++i, ++from) {
        REQUIRE(item == from * from);
        taker.rest();
      }
      REQUIRE(stage.cursor() == from);
    }
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
  const double bound = seconds(1) / 3;
  CHECK(test::best_of(
            10, [&] { return seconds(8); }, [&](double took) { return took < bound; }) < bound);
}
}  // namespace

}  // namespace workers_test
