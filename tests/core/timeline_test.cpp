// What threads did, by a timeline, compared with what was really done: sums, intervals, readings in the middle, names.
#include "entrain/core/timeline.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace entrain;

namespace {
double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
/// Busy or asleep for so long; how long it really was.
double spend(double least) {
  const double begin = seconds();
  while (seconds() - begin < least) std::this_thread::sleep_for(std::chrono::microseconds(200));
  return seconds() - begin;
}
/// A lane's time encloses what it is asked for; that it is not more, its total says.
bool holds(double lane, double inside) { return lane >= inside - 1e-9; }
}  // namespace

TEST_CASE("timeline: each kind of work has its time, what is inside of another not counted twice") {
  Timeline timeline;
  const double begun = seconds();
  Lane& lane = timeline.lane(Timeline::training);
  double waited = 0, read = 0, parsed = 0;
  {
    const Doing outer(&lane, Activity::wait);
    waited += spend(0.005);
    {
      const Doing inner(&lane, Activity::read);
      read += spend(0.01);
      const Doing innermost(&lane, Activity::parse);
      parsed += spend(0.015);
    }
    waited += spend(0.005);
  }
  const ActivitySeconds spent = timeline.spent();
  CHECK(holds(spent[Activity::wait], waited));
  CHECK(holds(spent[Activity::read], read));
  CHECK(holds(spent[Activity::parse], parsed));
  CHECK(spent[Activity::pack] == 0);
  lane.end();
  const double passed = seconds() - begun;
  CHECK(timeline.times().training.total() <= passed);
  spend(0.01);
  CHECK(timeline.times().training.total() <= passed);
  CHECK(holds(timeline.times().training.total(), waited + read + parsed));
  CHECK(spent.busy() == doctest::Approx(spent[Activity::read] + spent[Activity::parse]));
}

TEST_CASE("timeline: an open interval counts up to the reading; a thread without a lane pays nothing") {
  Timeline timeline;
  Lane& lane = timeline.lane(Timeline::training);
  lane.begin(Activity::compute);
  const double passed = spend(0.01);
  CHECK(holds(timeline.spent()[Activity::compute], passed));
  const Doing nothing(nullptr, Activity::read);
  const InTurnOnly none(nullptr);
  CHECK(static_cast<Lane*>(OnLane(nullptr, Timeline::training)) == nullptr);
}

TEST_CASE("timeline: stages, threads of each, what was done in turn, and what of it while the training waited") {
  Timeline timeline;
  timeline.lane(Timeline::training);
  timeline.stage("unused");
  const std::size_t loader = timeline.stage("loader"), other = timeline.stage("other");
  double read = 0, starved = 0, beside = 0;
  std::atomic<int> turn{0};
  std::thread thread([&] {
    const OnLane lane(&timeline, loader);
    {
      const InTurnOnly now(lane);
      const Doing reading(lane, Activity::read);
      read += spend(0.005);
      turn = 1;
      while (turn == 1) std::this_thread::yield();
      const double more = spend(0.01);
      read += more, starved += more;
    }
    const Doing parsing(lane, Activity::parse);
    beside += spend(0.01);
    turn = 3;
    while (turn == 3) std::this_thread::yield();
  });
  while (turn == 0) std::this_thread::yield();
  const double begun = seconds();
  timeline.starving(true);
  turn = 2;
  while (turn == 2) std::this_thread::yield();
  timeline.starving(false);
  const double passed = seconds() - begun;
  turn = 4;
  thread.join();
  timeline.lane(other);
  timeline.lane(loader).end();

  const Times times = timeline.times();
  REQUIRE(times.stages.size() == 2);
  const StageTimes& s = times.stages[0];
  CHECK(s.name == "loader");
  CHECK(s.threads == 2);
  CHECK(times.stages[1].name == "other");
  CHECK(times.stages[1].threads == 1);
  CHECK(holds(s.in_turn[Activity::read], read));
  CHECK(holds(s.beside[Activity::parse], beside));
  CHECK(s.beside[Activity::read] == 0);
  CHECK(s.in_turn[Activity::parse] == 0);
  CHECK(holds(s.in_turn_starved[Activity::read], starved));
  CHECK(holds(s.beside_starved[Activity::parse], beside));
  CHECK(s.in_turn_starved.total() + s.beside_starved.total() <= passed);
  CHECK(s.in_turn_starved[Activity::read] < s.in_turn[Activity::read] - 0.004);
  // idling of other threads does not count: here it is as long again as the training's
  const double nobody = timeline.spent()[Activity::idle];
  CHECK(nobody <= timeline.times().training[Activity::idle]);
}

TEST_CASE("timeline: a second wait adds to the first one") {
  Timeline timeline;
  Lane& lane = timeline.lane(timeline.stage("loader"));
  lane.begin(Activity::read);
  double starved = 0, passed = 0;
  for (int i = 0; i < 3; ++i) {
    const double begun = seconds();
    timeline.starving(true);
    starved += spend(0.004);
    timeline.starving(false);
    passed += seconds() - begun;
    spend(0.004);
  }
  CHECK(holds(timeline.times().stages.at(0).beside_starved[Activity::read], starved));
  CHECK(timeline.times().stages.at(0).beside_starved.total() <= passed);
}

TEST_CASE("timeline: threads that were over before the training began are not of it") {
  Timeline timeline;
  Lane& early = timeline.lane(timeline.stage("early"));
  Lane& late = timeline.lane(timeline.stage("late"));
  early.begin(Activity::read);
  spend(0.001);
  early.end();
  CHECK(timeline.times().stages.size() == 2);
  CHECK(timeline.times().wall == 0);
  spend(0.001);
  const double begun = seconds();
  timeline.lane(Timeline::training);
  late.end();
  spend(0.002);
  const Times times = timeline.times();
  REQUIRE(times.stages.size() == 1);
  CHECK(times.stages[0].name == "late");
  CHECK(times.wall > 0.001);
  CHECK(times.wall <= seconds() - begun);
  CHECK(times.cpu > 0);
}

TEST_CASE("timeline: names of one's own, as many as there is room for") {
  Timeline timeline;
  Lane& lane = timeline.lane(Timeline::training);
  CHECK(lane.named("tokenise") == Activity::tokenise);
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int i = 0; i < 30; ++i) all.push_back("own " + std::to_string(i));
    return all;
  }();
  const Activity first = lane.named(names[0]);
  CHECK(first == Activity::own);
  CHECK(lane.named(std::string("own 0")) == first);
  for (const std::string& name : names) lane.named(name);
  CHECK(lane.named(names[9]) != lane.named(names[8]));
  CHECK(lane.named(names[29]) == Activity::map);
  const Times times = timeline.times();
  REQUIRE(times.names.size() == activities);
  CHECK(times.names[static_cast<std::size_t>(first)] == "own 0");
  CHECK(timeline.name(static_cast<std::size_t>(first)) == "own 0");
  CHECK(timeline.name(0) == "idle");
  CHECK(Timeline().name(activities - 1).empty());
  CHECK(times.names[static_cast<std::size_t>(Activity::save)] == "save");
  for (const std::string& name : times.names) CHECK_FALSE(name.empty());
}

TEST_CASE("timeline: intervals follow each other and sum up to the sums; those without room are counted") {
  Timeline timeline(5);
  Lane& lane = timeline.lane(timeline.stage("loader"));
  for (int i = 0; i < 4; ++i) {
    const Doing outer(&lane, Activity::read);  // two intervals, with another one between them
    const Doing inner(&lane, Activity::parse);
    spend(0.001);
  }
  timeline.each_lane([&](const std::string& name, const Lane& l) {
    CHECK(name == "loader 1");
    REQUIRE(l.intervals().size() == 5);
    CHECK(l.left_out() == 7);
    Lane::Ticks end = timeline.begun();
    for (const Lane::Interval& i : l.intervals()) {
      CHECK(i.begin >= end);
      CHECK(i.end >= i.begin);
      end = i.end;
    }
  });
  Timeline whole(100);
  Lane& all = whole.lane(Timeline::training);
  for (int i = 0; i < 4; ++i) {
    const Doing outer(&all, Activity::read);
    const Doing inner(&all, Activity::parse);
    spend(0.001);
  }
  std::vector<Lane::Ticks> sums(activities);
  for (const Lane::Interval& i : all.intervals()) sums[static_cast<std::size_t>(i.activity)] += i.end - i.begin;
  all.end();
  const Times times = whole.times();
  CHECK(all.left_out() == 0);
  for (const Activity a : {Activity::read, Activity::parse})
    CHECK(times.training[a] == doctest::Approx(static_cast<double>(sums[static_cast<std::size_t>(a)]) / 1e9));
}

TEST_CASE("timeline: readings in the middle of threads' work sum up to the time that passed") {
  Timeline timeline;
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  const std::size_t stage = timeline.stage("loader");
  const Lane::Ticks begun = timeline.begun();
  for (int i = 0; i < 3; ++i) {
    Lane& lane = timeline.lane(stage);
    threads.emplace_back([&] {
      while (!stop) {
        const Doing reading(&lane, Activity::read);
        const Doing parsing(&lane, Activity::parse);
      }
      lane.begin(Activity::pack);  // so that no thread idles below
    });
  }
  double before = 0;
  bool forward = true, within = true;
  for (int i = 0; i < 20'000; ++i) {
    timeline.starving(i % 2 == 0);
    const StageTimes now = timeline.times().stages.at(0);
    const double passed =
        static_cast<double>(std::chrono::steady_clock::now().time_since_epoch().count() - begun) / 1e9;
    forward = forward && now.beside.total() >= before;
    within = within && now.beside.total() <= 3 * passed && now.beside_starved.total() <= now.beside.total();
    before = now.beside.total();
  }
  stop = true;
  for (std::thread& t : threads) t.join();
  CHECK(forward);
  CHECK(within);
  const ActivitySeconds all = timeline.spent();
  CHECK(all[Activity::read] > 0);
  CHECK(all[Activity::parse] > 0);
  CHECK(all.busy() == doctest::Approx(all.total()));
}
