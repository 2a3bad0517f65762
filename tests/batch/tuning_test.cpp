// How many threads a stage needs: by what items cost, how fast they are taken, what cores others leave. And the clocks
// that say what an item cost.
#include "entrain/batch/pipeline/tuning.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "tests/attempts.hpp"

namespace tuning_test {
namespace {
using namespace entrain;
using batch::Cores;
using batch::Cost;
using batch::MeasuredInterval;
using batch::Tuning;

constexpr Cores::Left two{2, 2}, eight{8, 8};
/// What happened between two decisions: all of it was waiting, or nothing.
constexpr MeasuredInterval hungry{0.01, 10, 0.005, 0}, fed{0.01, 10, 0, 0.005};

/// Of a stage whose items cost so much, in seconds, and are taken so long one after the other.
Tuning tuning(Cost cost, double taker) {
  Tuning t;
  for (int i = 0; i < 40; ++i) {
    t.item(cost);
    t.taker(taker);
  }
  return t;
}
/// After many decisions.
int settled(Tuning t, int now, const MeasuredInterval& s, Cores::Left cores) {
  for (int i = 0; i < 100; ++i) now = t.threads(now, s, cores);
  return now;
}

TEST_CASE("threads that compute are as many as there are cores, and as are of use") {
  const Cost cost{10e-6, 990e-6, 0};
  CHECK(tuning(cost, 1e-6).threads(1, hungry, two) == 2);  // at once
  CHECK(settled(tuning(cost, 1e-6), 1, hungry, two) == 2);
  CHECK(settled(tuning(cost, 1e-6), 8, hungry, two) == 2);
  CHECK(settled(tuning(cost, 1e-6), 1, hungry, eight) == 8);
  CHECK(tuning(cost, 1000e-6).threads(1, hungry, eight) == 2);              // a little more than one
  CHECK(tuning({400e-6, 600e-6, 0}, 1e-6).threads(1, hungry, eight) == 4);  // one thread reads at a time
  CHECK(settled(tuning({400e-6, 600e-6, 0}, 1e-6), 8, fed, eight) == 3);    // 2.5
  CHECK(settled(tuning({980e-6, 20e-6, 0}, 1e-6), 8, fed, eight) == 1);     // another would wait for its turn
  CHECK(settled(tuning(cost, 500e-6), 8, fed, eight) == 2);                 // so fast they are taken
  CHECK(settled(tuning(cost, 300e-6), 8, fed, eight) == 4);
  CHECK(settled(tuning(cost, 5e-3), 8, fed, eight) == 1);
}

TEST_CASE("threads that wait are as many as are of use, 64 at most") {
  CHECK(tuning({1e-6, 1e-3, 0.98e-3}, 1e-6).threads(1, hungry, two) == 64);
  CHECK(tuning({1e-6, 1e-3, 0.98e-3}, 100e-6).threads(1, hungry, two) == 14);  // 10, and what hunger adds
  CHECK(settled(tuning({1e-6, 1e-3, 0.98e-3}, 100e-6), 64, fed, two) == 11);
  CHECK(tuning({1e-6, 1e-3, 0.51e-3}, 1e-6).threads(1, hungry, two) == 4);  // half of the time each needs a core
}

TEST_CASE("an item that waited long, by chance, does not make a stage one that waits") {
  Tuning t = tuning({10e-6, 990e-6, 0}, 1e-6);
  for (int i = 0; i < 3; ++i) t.item({10e-6, 20e-3, 19e-3});
  CHECK(t.threads(1, hungry, two) == 2);
  for (int i = 0; i < 20; ++i) t.item({10e-6, 20e-3, 19e-3});  // by chance no more
  CHECK(t.threads(1, hungry, two) == 3);
}

TEST_CASE("who waits for items gets more threads than the law says, who does not gets none") {
  Tuning t = tuning({1e-6, 1e-3, 0.98e-3}, 100e-6);
  CHECK(t.threads(3, fed, two) == 3);
  int now = 3;
  for (int i = 0; i < 20; ++i) now = t.threads(now, hungry, two);
  CHECK(now == 20);  // twice as many
}

TEST_CASE("fewer threads only after some decisions in a row") {
  Tuning t = tuning({10e-6, 990e-6, 0}, 5e-3);
  CHECK(t.threads(8, fed, eight) == 8);
  CHECK(t.threads(8, fed, eight) == 8);
  CHECK(t.threads(8, fed, eight) == 8);
  CHECK(t.threads(8, fed, eight) < 8);
}

TEST_CASE("items that cost less than to hand them over are made by who takes them") {
  CHECK(tuning({0.5e-6, 1e-6, 0}, 1e-6).threads(2, hungry, two) == 0);
  CHECK(tuning({0.5e-6, 1e-6, 0}, 1e-6).threads(0, hungry, two) == 0);
  CHECK(tuning({1e-6, 10e-6, 0}, 1e-6).threads(0, fed, two) == 2);
  CHECK(tuning({1e-6, 10e-6, 0}, 1).threads(0, fed, two) == 1);
}

TEST_CASE("the first item, which pays what is done once, says nothing; nor do a few, unless they take long") {
  Tuning t;  // as it was recorded
  t.item({26.4e-6, 9.4e-6, 7.2e-6});
  CHECK_FALSE(t.knows_items());
  t.item({0.5e-6, 0.7e-6, 0});
  CHECK(t.cost() == doctest::Approx(1.2e-6));
  CHECK(t.work() == doctest::Approx(0.7e-6));
  t.item({0.5e-6, 0.9e-6, 0});
  CHECK_FALSE(t.knows_items());
  t.item({0.5e-6, 0.7e-6, 0});
  CHECK(t.knows_items());
  t.taker(0.3e-6);
  CHECK(t.threads(1, hungry, two) == 0);
  Tuning one;
  one.item({1e-6, 1.1e-3, 1e-3});
  CHECK(one.knows_items());
}

/// After n decisions with `now` threads there are other ones.
int decisions(Tuning& t, int now, const MeasuredInterval& s) {
  int n = 1;
  while (n < 2000 && t.threads(now, s, two) == now) ++n;
  return n;
}

TEST_CASE("threads that make cheap items slower go at once, and are tried again after a while") {
  // Recorded, of two cores that are slow to wake each other: items of 11 us come every 17 us from two threads.
  Tuning t = tuning({1e-6, 10e-6, 0}, 0.1e-6);
  const MeasuredInterval slower{4e-3, 232, 3e-3, 3e-3}, faster{4e-3, 560, 3e-3, 3e-3}, alone{4e-3, 360, 0, 0};
  CHECK(t.threads(1, slower, two) == 2);
  CHECK(decisions(t, 2, slower) == 4);  // three in a row say so, after the one that they came in
  CHECK(decisions(t, 0, alone) == 13);  // 0.05 seconds
  CHECK(decisions(t, 2, slower) == 4);
  CHECK(decisions(t, 0, alone) == 25);  // twice as long
  CHECK(decisions(t, 2, slower) == 4);
  CHECK(decisions(t, 0, alone) == 50);
  int longest = 0;
  for (int i = 0; i < 20; ++i) CHECK(decisions(t, 2, slower) == 4), longest = decisions(t, 0, alone);
  CHECK(longest == doctest::Approx(1000).epsilon(0.01));  // four seconds
  CHECK(settled(t, 2, faster, two) == 2);                 // 7.1 us: they do help
  for (int i = 0; i < 3; ++i) t.threads(2, faster, two);
  CHECK(decisions(t, 2, slower) == 3);
  CHECK(decisions(t, 0, alone) == 13);  // what was before is forgotten
  for (int i = 0; i < 3; ++i) CHECK(t.threads(2, slower, two) == 2);
  t.threads(2, faster, two);
  CHECK(decisions(t, 2, slower) == 3);  // not in a row

  for (int i = 0; i < 40; ++i) t.item({1e-6, 20e-6, 0});
  CHECK(t.threads(0, alone, two) == 0);
  for (int i = 0; i < 40; ++i) t.item({1e-6, 2e-3, 1.9e-3});
  CHECK(t.threads(0, alone, two) > 2);  // items cost more: at once
}

TEST_CASE("what could not be slower is not asked") {
  const auto stays = [](Cost cost, double taker, const MeasuredInterval& s, int now = 2) {
    Tuning t = tuning(cost, taker);
    return decisions(t, now, s) == 2000;
  };
  CHECK_FALSE(stays({1e-6, 49e-6, 0}, 1e-6, {5e-3, 90, 4e-3, 4e-3}));  // 56 us: slower
  CHECK(stays({1e-6, 49e-6, 0}, 1e-6, {5e-3, 110, 4e-3, 4e-3}));       // 45
  CHECK(stays({1e-6, 65e-6, 0}, 1e-6, {5e-3, 60, 4e-3, 4e-3}));        // a busy machine
  CHECK(stays({1e-6, 49e-6, 0}, 1e-6, {5e-3, 15, 4e-3, 4e-3}));        // few items
  CHECK(stays({1e-6, 49e-6, 0}, 100e-6, {5e-3, 40, 0, 4e-3}, 1));      // 125 us, 150 without threads
  CHECK_FALSE(stays({1e-6, 49e-6, 0}, 100e-6, {5e-3, 34, 0, 4e-3}, 1));
}

TEST_CASE("cores are shared: who is further in gives way") {
  const Cost cost{10e-6, 990e-6, 0};
  const auto threads = [&](int now, double by_outer, double by_all) {
    return settled(tuning(cost, 1e-6), now, hungry, {by_outer, by_all});
  };
  CHECK(threads(1, 2, 1.7) == 2);  // another is busy for less than half of the time
  CHECK(threads(1, 2, 1.4) == 1);
  CHECK(threads(2, 2, 1.4) == 2);  // no to and fro
  CHECK(threads(2, 2, 0.9) == 1);
  CHECK(threads(1, 1, -1) == 1);    // the outermost one always has a thread
  CHECK(threads(1, 0.2, -1) == 0);  // its thread does the other's work too
  CHECK(threads(1, 0.6, -1) == 1);
  CHECK(settled(tuning({1e-6, 1e-3, 0.98e-3}, 1e-6), 1, hungry, {-1, -1}) == 47);  // sleeps: little of a core
  CHECK(settled(tuning({1e-6, 1e-3, 0.51e-3}, 1e-6), 1, hungry, {-1, -1}) == 2);
  CHECK(settled(tuning({1e-6, 1e-3, 0.49e-3}, 1e-6), 1, hungry, {-1, -1}) == 0);

  Cores cores(4);
  const auto inner = cores.enrol(), outer = cores.enrol();
  cores.says(inner, 1.5);
  cores.says(outer, 0.25);
  CHECK(cores.left(inner).by_all == 3.75);
  CHECK(cores.left(inner).by_outer == 3.75);
  CHECK(cores.left(outer).by_all == 2.5);
  CHECK(cores.left(outer).by_outer == 4);
  CHECK(Cores(0).count() == 1);
  CHECK(Cores().count() == batch::cores_here());
  CHECK(batch::cores_here() >= 1);
}

TEST_CASE("a stage says how many cores it keeps busy") {
  Tuning t = tuning({1e-3, 3e-3, 1e-3}, 1e-3);
  CHECK(t.busy(2, {2, 1000, 0, 0}) == doctest::Approx(1.5));
  CHECK(t.busy(2, {2, 1000, 0, 3}) == doctest::Approx(0.375));  // three seconds of four they had nothing to do
  CHECK(t.busy(2, {2, 1000, 0, 1, 2}) == doctest::Approx(0.375));
  CHECK(t.busy(2, {2, 1000, 0, 9}) == 0);
  CHECK(t.busy(2, {}) == 0);
  CHECK(Tuning().busy(2, {2, 1000, 0, 0}) == 0);
}

TEST_CASE("more items may be begun when they come unevenly, and two a thread") {
  const Tuning t;
  const MeasuredInterval uneven{0.01, 10, 0.005, 0.005};
  CHECK(t.depth(4, 2, 1, fed) == 4);
  CHECK(t.depth(4, 2, 1, hungry) == 4);
  CHECK(t.depth(4, 2, 1, uneven) == 8);
  CHECK(t.depth(5, 2, 1, uneven) == 8);  // four a thread
  CHECK(t.depth(10, 2, 1, uneven) == 10);
  CHECK(t.depth(4, 2, 1, {0.01, 10, 0.0001, 0.005}) == 4);
  CHECK(t.depth(4, 2, 1, {0.01, 10, 0.005, 0, 0.005}) == 4);  // they wait for each other: more items would not help
  CHECK(t.depth(4, 30, 1, fed) == 60);
  CHECK(t.depth(4, 30, 128, fed) == 4);  // the threads share two items
  CHECK(t.depth(2, 60, 16, fed) == 9);
}

TEST_CASE("means are of what was lately; a taker's rest counts little") {
  batch::RecentMean mean;
  mean.add(1);
  mean.add(3);
  CHECK(mean.mean() == 2);
  for (int i = 0; i < 500; ++i) mean.add(7);
  CHECK(mean.mean() == doctest::Approx(7));

  Tuning t = tuning({10e-6, 990e-6, 0}, 500e-6);
  t.taker(60);  // an evaluation
  CHECK(settled(t, 2, fed, eight) == 2);
  Tuning first;
  first.item({10e-6, 990e-6, 0});
  CHECK(first.knows_items());
  CHECK_FALSE(first.knows_taker());
}

TEST_CASE("what happens in a pause is no cost, whatever it is") {
  const batch::RunDelay delay;
  const auto compute = [](double seconds) {
    const double began = batch::seconds_of(CLOCK_THREAD_CPUTIME_ID);
    while (batch::seconds_of(CLOCK_THREAD_CPUTIME_ID) - began < seconds) {
    }
  };
  struct Costs {
    Cost with_pauses, with_a_sleep;
    bool hold() const {
      return with_pauses.seconds() < 9e-3 && with_pauses.waiting < 1e-3 &&  //
             with_a_sleep.waiting > 10e-3 && with_a_sleep.computing() < 9e-3;
    }
  };
  const auto measure = [&] {
    batch::Stopwatch watch(&delay);
    compute(2e-3);
    watch.has_read();
    for (int i = 0; i < 2; ++i) {
      watch.pause();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      compute(20e-3);
      watch.go_on();
      compute(2e-3);
    }
    Costs costs{watch.cost(), {}};
    watch.pause();
    compute(10e-3);
    watch.go_on();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    costs.with_a_sleep = watch.cost();
    return costs;
  };
  const Costs costs = test::best_of(10, measure, &Costs::hold);
  CHECK(costs.with_pauses.computing() > 5.9e-3);
  CHECK(costs.with_pauses.seconds() < 9e-3);
  CHECK(costs.with_pauses.waiting < 1e-3);
  CHECK(costs.with_a_sleep.waiting > 10e-3);  // who loses its core between two clocks waited less
  CHECK(costs.with_a_sleep.computing() < 9e-3);

  const auto asking = [&] {  // the clocks, which is no waiting
    double waited = 0;
    for (int i = 0; i < 1000; ++i) {
      batch::Stopwatch empty(&delay);
      for (int pause = 0; pause < 2; ++pause) empty.pause(), empty.go_on();
      waited += empty.cost().waiting;
    }
    return waited;
  };
  CHECK(test::best_of(10, asking, [](double waited) { return waited < 1e-3; }) < 1e-3);

  batch::Stopwatch off(nullptr);
  off.pause();
  off.go_on();
  CHECK(off.cost().seconds() == 0);
}

TEST_CASE("a sleep is waiting; computing is not, on however busy a machine") {
  const batch::RunDelay delay;
  const auto sleep = [&] {
    const batch::Stopwatch sleeping(&delay);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return sleeping.cost();
  };
  const auto slept_only = [](const Cost& of) { return of.waiting > 0.019 && of.computing() < 0.1 * of.waiting; };
  const Cost slept = test::best_of(10, sleep, slept_only);
  CHECK(slept.waiting > 0.019);
  CHECK(slept.computing() < 0.1 * slept.waiting);
  CHECK(slept.reading == 0);

  const auto compute = [&] {
    std::atomic<bool> stop{false};
    std::vector<std::thread> others;
    for (int i = 0; i < 2 * batch::cores_here(); ++i)
      others.emplace_back([&] {
        while (!stop) {
        }
      });
    batch::Stopwatch computing(&delay);
    const double began = batch::seconds_of(CLOCK_THREAD_CPUTIME_ID);
    const auto compute_until = [&](double seconds) {
      while (batch::seconds_of(CLOCK_THREAD_CPUTIME_ID) - began < seconds) {
      }
    };
    compute_until(0.02);
    computing.has_read();
    compute_until(0.06);
    const Cost cost = computing.cost();
    stop = true;
    for (auto& t : others) t.join();
    return cost;
  };
  const auto computed_only = [](const Cost& of) {
    return of.waiting < 0.005 && of.seconds() < 0.075 && of.reading > 0.005 && of.working > 0.015;
  };
  const Cost cost = test::best_of(10, compute, computed_only);
  CHECK(cost.waiting < 0.005);
  CHECK(cost.computing() >= 0.059);
  CHECK(cost.seconds() < 0.075);  // though it took some three times as long
  CHECK(cost.reading > 0.005);
  CHECK(cost.working > 0.015);

  const batch::Stopwatch off(nullptr);
  CHECK(off.seconds() == 0);
  CHECK(off.cost().seconds() == 0);
  Cost sum{1, 2, 1};
  sum += Cost{1, 1, 0} * 2;
  CHECK(sum.reading == 3);
  CHECK(sum.working == 4);
  CHECK(sum.waiting == 1);
  CHECK(sum.computing() == 6);
}
}  // namespace

}  // namespace tuning_test
