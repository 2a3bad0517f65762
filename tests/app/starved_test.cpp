// tests > [app]: trainings whose loader is made slow on purpose, in one place each: the report names it, and its share
// is what was measured next to it. And one whose loader is fast.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <thread>

#include "entrain/app/train/loader_bottleneck.hpp"
#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/pack/packed.hpp"
#include "entrain/batch/pack/shuffled.hpp"
#include "entrain/batch/pipeline/mapped.hpp"
#include "entrain/batch/pipeline/tuning.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/task/tagging.hpp"
#include "entrain/train/loop/fit.hpp"
#include "tests/attempts.hpp"
#include "tests/sanitized.hpp"
#include "tests/train/tiny.hpp"

namespace starved_test {
namespace {
using namespace entrain;
using namespace std::chrono_literals;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool without_sanitizer = false;  // a sanitizer takes a multiple of them, at some places more than at others
constexpr int attempts = 1;
#else
constexpr bool without_sanitizer = true;
constexpr int attempts = 10;
#endif

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// What a source slept while somebody waited for batches, by its own clock: microseconds.
struct Slept {
  std::atomic<bool> awaited{false};
  std::atomic<std::int64_t> reading{0}, working{0};

  void sleep(std::chrono::microseconds time, std::atomic<std::int64_t>& of) {
    const auto end = std::chrono::steady_clock::now() + time;
    for (auto begin = end - time; begin < end;) {
      const bool counts = awaited;
      std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(300us, end - begin));
      const auto now = std::chrono::steady_clock::now();
      if (counts) of += std::chrono::duration_cast<std::chrono::microseconds>(now - begin).count();
      begin = now;
    }
  }
};

/// Blocks of sentences; reading one, or making a corpus of it, takes its time.
struct Slow {
  using Tags = text::Bio;
  using Raw = int;
  using Item = text::Corpus;
  using Cursor = int;
  std::chrono::microseconds reading{0}, working{0};
  int blocks = 0, at = 0;
  std::shared_ptr<Slept> slept = std::make_shared<Slept>();

  void start(std::uint32_t, int cursor) { at = cursor; }
  int cursor() const { return at; }
  bool read(int& block) {
    if (at == blocks) return false;
    slept->sleep(reading, slept->reading);
    block = at++;
    return true;
  }
  auto work() const {
    return [pause = working, s = slept](int block, text::Corpus& corpus) {
      s->sleep(pause, s->working);
      corpus = test::people(20, 20 * block).corpus;
    };
  }
};
/// What a user may put in between.
struct Fetching {
  static constexpr std::string_view name = "fetch pictures";
  std::chrono::microseconds pause{0};
  void operator()(text::Corpus&) const { std::this_thread::sleep_for(pause); }
};
struct Source : batch::Mapped<Fetching, Slow> {
  using Tags = text::Bio;
  using Mapped::Mapped;
};
using Encode = batch::Encode<test::Words, task::Tagging<text::Bioes>, Source>;
using Shuffled = batch::Shuffled<batch::Workers<Encode>>;
using Batches = batch::Prefetch<batch::Packed<batch::Prefetch<Shuffled>>>;

/// A loader, and how long somebody waited for it, by another clock than the timeline's lanes.
struct Watched {
  using Item = Batches::Item;
  using Cursor = Batches::Cursor;
  Batches from;
  std::shared_ptr<Slept> slept;
  double waited = 0;

  void start(std::uint32_t epoch, const Cursor& at) {
    const double begin = now();
    slept->awaited = true;
    from.start(epoch, at);
    slept->awaited = false;
    waited += now() - begin;
  }
  Cursor cursor() { return from.cursor(); }
  bool next(Item& item, Lane* lane = nullptr) {
    const double begin = now();
    slept->awaited = true;
    const bool more = from.next(item, lane);
    slept->awaited = false;
    waited += now() - begin;
    return more;
  }
};

/// As much as a larger model would. It returns for how long its thread had a core.
double compute() {
  const double began = batch::seconds_of(CLOCK_THREAD_CPUTIME_ID);
  for (const double until = now() + 2e-3; now() < until;) {
  }
  return batch::seconds_of(CLOCK_THREAD_CPUTIME_ID) - began;
}

double explained(const app::LoaderBottleneck& s) {
  double share = 0;
  for (const app::Cause& c : s.causes) share += c.share;
  return share;
}

struct Run {
  app::LoaderBottleneck starvation;
  std::string verdict;
  double waited = 0;  // shares, by the other clocks
  double reading = 0, working = 0;
  double on_a_core = 0;  // of the time of compute(): all of it, unless other programs took the core
  double in_steps = 0;   // of the time that the timeline counts as waiting, what the reports of steps count so
  /// Whether bounds of times say something of entrain, and not of other programs.
  bool times_are_ours() const {
    const bool ours = without_sanitizer && on_a_core > 0.9;
    if (!ours) MESSAGE("this machine is too busy to compare times: compute() had a core for " << on_a_core);
    return ours;
  }
  bool clocks_agree() const {
    return std::abs(starvation.waited - waited) < 0.03 && in_steps >= 0.8;  // but for the end of the epoch
  }
};

Run train_on(const Slow& slow, std::chrono::microseconds fetching, int workers) {
  Timeline timeline(1 << 16);
  const test::Labels labels({"PER", "LOC"});
  Encode encode({}, labels, Source(Fetching{fetching}, slow));
  Shuffled shuffled(batch::Workers<Encode>(std::move(encode), {workers, 0, &timeline}), {5, 40, false});
  const batch::PackedOptions packed{{{.token_budget = 120}, 1, 0, 5}, labels.count(), {}, 120};
  Watched loader{
      Batches(batch::Packed(batch::Prefetch<Shuffled>(std::move(shuffled), 1, &timeline), packed), 4, &timeline),
      slow.slept};

  const device::Cpu<> cpu(1);
  test::Trainer trainer(cpu, labels, 120, 1);
  train::Options options;
  options.calibrate = false;
  options.epochs = 1;
  options.timeline = &timeline;
  const double begin = now();
  ActivitySeconds steps;
  double computed = 0, had_a_core = 0;
  const auto on_step = [&](const train::StepReport& report) {
    for (const double s : report.spent.seconds) CHECK(s >= 0);
    steps += report.spent;
    computed -= now();
    had_a_core += compute();
    computed += now();
  };
  train::fit(
      trainer, loader, 38, options, on_step, [] { return -1.0; }, [](std::uint32_t, double, bool) {}, {}, {},
      [](const auto&, const auto&) {});
  const double took = now() - begin;

  const Times times = timeline.times();
  Run run{app::loader_bottleneck(times),
          app::verdict(times, {}, {workers, 1000}),
          loader.waited / took,
          1e-6 * static_cast<double>(slow.slept->reading) / took,
          1e-6 * static_cast<double>(slow.slept->working) / took,
          had_a_core / computed,
          steps[Activity::wait] / times.training[Activity::wait]};
  CHECK(run.starvation.seconds <= took);
  CHECK(steps[Activity::wait] <= times.training[Activity::wait] + 1e-9);  // summed in another order
  return run;
}

/// train() names it.
template <class Train> Run names(const std::string& name, Train train) {
  const Run run = test::best_of(attempts, train, [&](const Run& of) {
    return of.clocks_agree() && std::abs(of.starvation.causes[0].share - of.waited) < 0.05 &&
           explained(of.starvation) >= 0.95 * of.starvation.waited;
  });
  CAPTURE(run.verdict);
  REQUIRE_FALSE(run.starvation.causes.empty());
  CHECK(run.waited > 0.2);  // else nothing is shown
  CHECK(run.starvation.causes[0].name == name);
  if (run.times_are_ours()) {
    CHECK(run.clocks_agree());
    CHECK(std::abs(run.starvation.causes[0].share - run.waited) < 0.05);
  }
  CHECK(run.verdict.find("for data: " + name + " ") != std::string::npos);
  return run;
}
}  // namespace

TEST_CASE("starved: a reader that is slow is named, with its share, for any number of workers") {
  for (const int workers : {1, 3})
    names("read", [&] { return train_on({.reading = 12ms, .blocks = 40}, 0ms, workers); });
}

TEST_CASE("starved: what a source makes of its bytes is parsing, a stage of one's own has its own name") {
  names("parse", [] { return train_on({.working = 12ms, .blocks = 40}, 0ms, 1); });
  names("parse", [] { return train_on({.working = 36ms, .blocks = 40}, 0ms, 3); });
  const Run run = names("fetch pictures", [] { return train_on({.blocks = 40}, 12ms, 1); });
  CHECK(run.verdict.ends_with("raise --loader-workers (now 1), or keep the encoded corpus with --cache"));
}

TEST_CASE("starved: two places share the blame as they share the time that was waited") {
  const auto shared = [](const Run& of) {
    return of.starvation.causes.size() >= 2 && std::abs(of.starvation.causes[0].share - of.reading) < 0.05 &&
           std::abs(of.starvation.causes[1].share - of.working) < 0.05;
  };
  const Run run = test::best_of(
      attempts, [] { return train_on({.reading = 12ms, .working = 6ms, .blocks = 40}, 0ms, 1); },
      [&](const Run& of) { return of.clocks_agree() && shared(of); });
  REQUIRE(run.starvation.causes.size() >= 2);
  CHECK(run.starvation.causes[0].name == "read");
  CHECK(run.starvation.causes[1].name == "parse");
  CHECK(run.working > 0.1);
  CAPTURE(run.starvation.causes[0].share - run.reading);
  CAPTURE(run.starvation.causes[1].share - run.working);
  if (run.times_are_ours()) CHECK(shared(run));
}

TEST_CASE("starved: a loader that is fast is no cause, and what packs between steps is the training itself") {
  const test::Labels labels({"PER", "LOC"});
  const auto corpus = test::encoded(test::people(4000), labels);
  const auto train = [&](int workers, app::LoaderBottleneck& s, std::string& verdict) {
    Timeline timeline;
    const device::Cpu<> cpu(1);
    test::Trainer trainer(cpu, labels, 400, 1);
    train::Options options;
    options.token_budget = 400;
    options.epochs = 1;
    options.word_dropout = 0;
    options.calibrate = false;
    options.loader_workers = workers;
    options.timeline = &timeline;
    train::fit(
        trainer, corpus, options, [](const auto&) { compute(); }, [] { return -1.0; },
        [](std::uint32_t, double, bool) {});
    const Times times = timeline.times();
    s = app::loader_bottleneck(times);
    verdict = app::verdict(times, {}, {workers, 1000});
  };
  app::LoaderBottleneck s;
  std::string verdict;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    train(1, s, verdict);
    if (s.waited < 0.01) break;
  }
  CAPTURE(verdict);
  if (without_sanitizer) CHECK(explained(s) < 0.1);  // little even where other programs take the cores
  if (s.waited < 0.01)
    CHECK(verdict.starts_with("training never waited for data"));
  else
    MESSAGE("this machine is too busy to show a training that never waits: " << verdict);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    train(0, s, verdict);
    if (!s.causes.empty() && s.causes[0].share > 0.3 * s.waited) break;
  }
  REQUIRE_FALSE(s.causes.empty());
  CHECK(s.causes[0].name == "pack");
  CHECK(s.causes[0].by_itself);
  CHECK(s.causes[0].share <= s.waited);
  if (without_sanitizer) CHECK(s.causes[0].share > 0.3 * s.waited);
}

}  // namespace starved_test
