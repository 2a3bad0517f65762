// Samples by the chunk, a function of one's own for each of them, and back: the same samples in the same order, whoever
// makes them; cursors; errors at their place; threads that help with a chunk.
#include "entrain/batch/pipeline/chunked.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "entrain/batch/pipeline/each_sample.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/core/error.hpp"
#include "tests/attempts.hpp"
#include "tests/sanitized.hpp"

namespace chunked_test {
namespace {
using namespace entrain;

/// 0 to `end` - 1, and another thousand each epoch.
struct Numbers {
  using Item = int;
  using Cursor = int;
  int end = 0, at = 0, fails_at = -1;
  std::uint32_t epoch = 0;

  void start(std::uint32_t of, int cursor) { epoch = of, at = cursor; }
  int cursor() const { return at; }
  bool next(int& item) {
    if (at == fails_at) throw Error("entrain.test.1", "numbers:" + std::to_string(at), "a bad number");
    if (at == end) return false;
    item = at++ + 1000 * static_cast<int>(epoch);
    return true;
  }
};
struct Negate {
  void operator()(int& n) const { n = -n; }
};
struct Words {
  std::string operator()(int& n) const { return "n" + std::to_string(n); }
};
struct Fails {
  std::set<int> at;
  void operator()(int& n) const {
    if (n % 5 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
    if (at.count(n)) throw Error("entrain.test.2", "sample " + std::to_string(n), "no good");
  }
};
using Chunks = batch::Chunked<Numbers>;
using Negated = batch::EachSample<Negate, Chunks>;
using Named = batch::EachSample<Words, Negated>;

template <class S> auto rest_of(S& stage) {
  std::vector<typename S::Item> all;
  for (typename S::Item item; stage.next(item);) all.push_back(item);
  return all;
}
std::vector<std::vector<std::string>> named(int from, int to, int size, int epoch = 0) {
  std::vector<std::vector<std::string>> all;
  for (int i = from; i < to; ++i) {
    if ((i - from) % size == 0) all.emplace_back();
    const int n = -(i + 1000 * epoch);
    all.back().push_back("n" + std::to_string(n));
  }
  return all;
}

TEST_CASE("chunks of any size through functions of samples: the same for any number of threads") {
  for (const int workers : {0, 1, 2, 5, batch::automatic})
    for (const int size : {1, 2, 7, 64})
      for (const int end : {0, 1, 6, 7, 8, 100}) {
        batch::Workers<Named> stage(Named({}, Negated({}, Chunks(Numbers{end}, static_cast<std::size_t>(size)))),
                                    {workers});
        stage.start(0, 0);
        CHECK(rest_of(stage) == named(0, end, size));
        stage.start(3, end / 2);
        CHECK(rest_of(stage) == named(end / 2, end, size, 3));
      }
  batch::InTurn<Named> turn(Named({}, Negated({}, Chunks(Numbers{10}, 4))));
  turn.start(0, 1);
  CHECK(rest_of(turn) == named(1, 10, 4));
  batch::InTurn<Chunks> none(Chunks(Numbers{3}, 0));  // one at a time, then
  none.start(0, 0);
  CHECK(rest_of(none) == std::vector<std::vector<int>>{{0}, {1}, {2}});
}

TEST_CASE("a stage around a function of samples, and one inside that is divided") {
  using Inner = batch::Chunked<batch::Mapped<Words, Numbers>>;
  struct Twice {
    std::size_t operator()(std::string& s) const { return 2 * s.size(); }
  };
  struct Sum {
    std::size_t operator()(std::vector<std::size_t>& v) const { return std::accumulate(v.begin(), v.end(), v.size()); }
  };
  using Sizes = batch::EachSample<Twice, Inner>;
  using Sums = batch::Mapped<Sum, Sizes>;
  for (const int workers : {0, 3}) {
    batch::Workers<Sizes> sizes(Sizes({}, Inner({{}, Numbers{12}}, 5)), {workers});
    sizes.start(0, 0);
    CHECK(rest_of(sizes) == std::vector<std::vector<std::size_t>>{{4, 4, 4, 4, 4}, {4, 4, 4, 4, 4}, {6, 6}});
    batch::Workers<Sums> sums(Sums({}, Sizes({}, Inner({{}, Numbers{12}}, 5))), {workers});
    sums.start(0, 0);
    CHECK(rest_of(sums) == std::vector<std::size_t>{25, 25, 14});
  }
}

TEST_CASE("dealt samples are those of the chunks, from any sample on") {
  using Loader = batch::Dealt<batch::Workers<Negated>>;
  const auto loader = [](int workers, std::size_t size) {
    return Loader(batch::Workers<Negated>(Negated({}, Chunks(Numbers{23}, size)), {workers}));
  };
  for (const std::size_t size : {1u, 5u, 30u})
    for (int taken = 0; taken <= 23; ++taken) {
      Loader stage = loader(2, size);
      stage.start(0, {});
      int item = 0;
      for (int i = 0; i < taken; ++i) {
        REQUIRE(stage.next(item));
        CHECK(item == -i);
      }
      const auto at = stage.cursor();
      Loader other = loader(1, size);
      other.start(0, at);
      const auto again = other.cursor();
      CHECK(again.chunk == at.chunk);
      CHECK(again.sample == at.sample);
      CHECK(rest_of(other) == rest_of(stage));
      other.start(0, at);
      CHECK(rest_of(other).size() == static_cast<std::size_t>(23 - taken));
      CHECK_FALSE(other.next(item));
    }
}

TEST_CASE("a sample that cannot be read is reported after all before it") {
  for (const int workers : {0, 1, 3})
    for (const int bad : {0, 1, 6, 7, 8}) {
      Numbers numbers{20};
      numbers.fails_at = bad;
      batch::Workers<Chunks> stage(Chunks(numbers, 7), {workers});
      stage.start(0, 0);
      std::vector<int> seen;
      std::string said;
      try {
        for (std::vector<int> chunk; stage.next(chunk);) seen.insert(seen.end(), chunk.begin(), chunk.end());
      } catch (const Error& e) {
        said = e.what();
      }
      CHECK(seen.size() == static_cast<std::size_t>(bad));
      CHECK(said == "entrain.test.1: numbers:" + std::to_string(bad) + ": a bad number");
      stage.start(0, bad + 1);  // after it, and the error is not kept
      CHECK(rest_of(stage).size() == static_cast<std::size_t>((20 - bad - 1 + 6) / 7));
    }
}

TEST_CASE("of several samples that throw, the first one's is thrown, whoever makes them") {
  using Stage = batch::EachSample<Fails, Chunks>;
  for (int round = 0; round < 20; ++round)
    for (const int workers : {0, 1, 4, 8}) {
      batch::Workers<Stage> stage(Stage(Fails{{33, 35, 36, 40, 47, 60}}, Chunks(Numbers{100}, 16)), {workers});
      stage.start(0, 0);
      std::size_t chunks = 0;
      std::string said;
      try {
        for (std::vector<int> chunk; stage.next(chunk);) ++chunks;
      } catch (const Error& e) {
        said = e.what();
      }
      CHECK(chunks == 2);
      CHECK(said == "entrain.test.2: sample 33: no good");
      std::vector<int> chunk;
      CHECK_FALSE(stage.next(chunk));
      stage.start(0, 61);
      CHECK(rest_of(stage).size() == 3);
    }
}

/// Two neighbours throw, one of them late.
struct TwoFail {
  int late;
  void operator()(int& n) const {
    if (n == 40 || n == late) std::this_thread::sleep_for(std::chrono::milliseconds(n == late ? 12 : 4));
    if (n == 40 || n == 41) throw Error("entrain.test.2", "sample " + std::to_string(n), "no good");
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
};

TEST_CASE("the first sample's error is thrown, whichever thread is the last") {
  using Stage = batch::EachSample<TwoFail, Chunks>;
  for (const int late : {40, 41}) {
    batch::Workers<Stage> stage(Stage(TwoFail{late}, Chunks(Numbers{100}, 100)), {4});
    stage.start(0, 0);
    std::vector<int> chunk;
    std::string said;
    try {
      stage.next(chunk);
    } catch (const Error& e) {
      said = e.what();
    }
    CHECK(said == "entrain.test.2: sample 40: no good");
  }
}

struct Sleeps {
  std::chrono::microseconds time;
  void operator()(int&) const { std::this_thread::sleep_for(time); }
};
double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST_CASE("one chunk is made by all threads, and an automatic stage finds them while it is made") {
  using Stage = batch::EachSample<Sleeps, Chunks>;
  const auto seconds = [](int workers) {
    batch::Workers<Stage> stage(Stage(Sleeps{std::chrono::milliseconds(2)}, Chunks(Numbers{100}, 100)), {workers});
    const auto begin = std::chrono::steady_clock::now();
    stage.start(0, 0);
    CHECK(rest_of(stage).size() == 1);
    return seconds_since(begin);
  };
  const double alone = seconds(1);
  CHECK(alone > 0.2);
  const auto best_seconds = [&](int workers, double bound) {
    return test::best_of(
        10, [&] { return seconds(workers); }, [&](double took) { return took < bound; });
  };
  CHECK(best_seconds(8, alone / 3) < alone / 3);
#if defined(__SANITIZE_THREAD__)
  const double bound = alone;  // it takes 2 ms for a new thread
#else
  const double bound = alone / 2;  // no thread can help before it has a worker function: they read once
#endif
  CHECK(best_seconds(batch::automatic, bound) < bound);
}

/// What is read becomes a chunk slowly, before it has samples.
struct SlowChunk {
  void operator()(std::vector<int>&) const { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }
};
struct SlowNegate {
  void operator()(int& n) const {
    std::this_thread::sleep_for(std::chrono::milliseconds(n % 20 == 19 ? 20 : 1));
    n = -n;
  }
};
using Slow = batch::EachSample<SlowNegate, batch::Mapped<SlowChunk, Chunks>>;

TEST_CASE("threads that rest are woken for samples, and a chunk is given when all are made") {
  batch::Workers<Slow> stage(Slow({}, {SlowChunk{}, Chunks(Numbers{200}, 100)}), {8});
  const auto seconds = [&](int from) {
    stage.start(0, from);
    const auto begin = std::chrono::steady_clock::now();
    std::vector<int> expected;
    for (int i = from; i < 200; ++i) {
      if ((i - from) % 100 == 0) expected.clear();
      expected.push_back(-i);
      if ((i - from) % 100 == 99) {
        std::vector<int> chunk;
        REQUIRE(stage.next(chunk));
        CHECK(chunk == expected);
      }
    }
    return seconds_since(begin);
  };
  CHECK(seconds(0) > 0);
  // Then there is one chunk: 195 milliseconds for one thread, and 20 before.
  CHECK(test::best_of(
            10, [&] { return seconds(100); }, [](double took) { return took < 0.15; }) < 0.15);
}

TEST_CASE("nor of a chunk that was discarded before it had samples") {
  const auto seconds = [] {
    batch::Workers<Slow> stage(Slow({}, {SlowChunk{}, Chunks(Numbers{1000}, 900)}), {1});
    stage.start(0, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const auto begin = std::chrono::steady_clock::now();
    stage.start(0, 999);
    const double took = seconds_since(begin);
    CHECK(rest_of(stage) == std::vector<std::vector<int>>{{-999}});
    return took;
  };
  CHECK(test::best_of(5, seconds, [](double took) { return took < 0.5; }) < 0.5);  // all take nearly two seconds
}

TEST_CASE("no sample is begun of a chunk that was discarded") {
  using Stage = batch::EachSample<Sleeps, Chunks>;
  const auto seconds = [] {
    const auto begin = std::chrono::steady_clock::now();
    for (const int workers : {1, 4}) {
      batch::Workers<Stage> stage(Stage(Sleeps{std::chrono::milliseconds(5)}, Chunks(Numbers{1000}, 500)), {workers});
      stage.start(0, 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(12));
      stage.start(0, 999);
      CHECK(rest_of(stage) == std::vector<std::vector<int>>{{999}});
      stage.start(0, 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(12));
    }
    return seconds_since(begin);
  };
  CHECK(test::best_of(5, seconds, [](double took) { return took < 1; }) < 1);  // all take 2.5 s, for each start
}
}  // namespace

TEST_CASE("what it costs to hand items over is no item's cost") {
  const auto cost = [](int workers) {
    double least = 1;
    for (int run = 0; run < 3; ++run) {
      batch::Workers<batch::Chunked<Numbers>> stage(batch::Chunked<Numbers>(Numbers{32 * 3000}, 32), {workers});
      stage.start(0, 0);
      for (std::vector<int> chunk; stage.next(chunk);) {
      }
      least = std::min(least, stage.measured().cost.seconds() / 3000);
    }
    return least;
  };
  // Else whoever makes cheap items with threads would take them for dear ones, for which threads are needed.
  const double bound = 8 * cost(0) + 2e-6;
  CHECK(test::best_of(
            5, [&] { return cost(2); }, [&](double seconds) { return seconds < bound; }) < bound);
}
}  // namespace chunked_test
