// What a trace says, read by another reader of JSON: the lanes' intervals, each in its place.
#include "entrain/report/trace.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

using namespace entrain;

namespace {
nlohmann::json trace_of(Timeline& timeline, report::TraceCounts& counts, const std::string& process = "entrain") {
  std::string text;
  counts = report::write_trace(timeline, process, [&](std::string_view piece) { text += piece; });
  return nlohmann::json::parse(text);
}
void work(Lane& lane, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const Doing outer(&lane, Activity::wait);
    const Doing inner(&lane, lane.named("of my \"own\"\n"));
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
}
}  // namespace

TEST_CASE("trace: every interval of every lane, in order, without overlap; durations sum up to the timeline's") {
  Timeline timeline(1000);
  Lane& train = timeline.lane(Timeline::training);
  Lane& first = timeline.lane(timeline.stage("load\\er"));
  std::thread other([&] { work(first, 20); });
  work(train, 10);
  other.join();
  train.end();
  report::TraceCounts counts;
  const auto trace = trace_of(timeline, counts, "a \"name\"");
  CHECK(counts.left_out == 0);
  CHECK(counts.written == 20 + 40 + 10 + 20);
  CHECK(trace.at("otherData").at("left_out") == 0);

  std::map<int, std::string> threads;
  std::map<int, double> ends;
  std::map<std::pair<int, std::string>, double> sums;
  std::size_t written = 0;
  for (const auto& event : trace.at("traceEvents")) {
    CHECK(event.at("pid") == 1);
    if (event.at("ph") == "M") {
      if (event.at("name") == "process_name") CHECK(event.at("args").at("name") == "a \"name\"");
      if (event.at("name") == "thread_name") threads[event.at("tid")] = event.at("args").at("name");
      continue;
    }
    REQUIRE(event.at("ph") == "X");
    const int tid = event.at("tid");
    const double begin = event.at("ts"), duration = event.at("dur");
    CHECK(begin >= ends[tid] - 1e-4);
    CHECK(begin < 60e6);  // since the timeline began, not since the machine did
    CHECK(duration >= 0);
    ends[tid] = begin + duration;
    sums[{tid, event.at("name")}] += duration;
    ++written;
  }
  CHECK(written == counts.written);
  CHECK(threads == std::map<int, std::string>{{1, "train 1"}, {2, "load\\er 1"}});
  const Times times = timeline.times();
  const auto own = static_cast<std::size_t>(Activity::own);
  CHECK(sums.size() == 4);
  CHECK(sums[{1, "wait"}] == doctest::Approx(times.training[Activity::wait] * 1e6).epsilon(1e-9));
  CHECK(sums[{1, "of my \"own\"\n"}] == doctest::Approx(times.training.seconds[own] * 1e6).epsilon(1e-9));
  CHECK(sums[{2, "of my \"own\"\n"}] == doctest::Approx(times.stages[0].beside.seconds[own] * 1e6).epsilon(1e-9));
}

TEST_CASE("trace: nothing measured, nothing kept, and what was left out is said") {
  report::TraceCounts counts;
  Timeline empty(10);
  CHECK(trace_of(empty, counts).at("traceEvents").size() == 1);
  Timeline small(7);
  Lane& lane = small.lane(Timeline::training);
  work(lane, 4);
  const auto trace = trace_of(small, counts);
  CHECK(counts.written == 7);
  CHECK(counts.left_out == 5);
  CHECK(trace.at("otherData").at("left_out") == 5);
  CHECK(trace.at("traceEvents").size() == 2 + 7);
}

TEST_CASE("trace: large ones come in pieces, numbers are whole nanoseconds") {
  Timeline timeline(5000);
  Lane& lane = timeline.lane(Timeline::training);
  for (int i = 0; i < 2000; ++i) {
    const Doing outer(&lane, Activity::read);
    const Doing inner(&lane, Activity::parse);
  }
  std::string text;
  int pieces = 0;
  report::write_trace(timeline, "entrain", [&](std::string_view piece) { text += piece, ++pieces; });
  CHECK(pieces > 3);
  CHECK(nlohmann::json::parse(text).at("traceEvents").size() > 5000);
  CHECK(std::string(report::detail::microseconds(1'234'567'890'123)) == "1234567890.123");
  CHECK(std::string(report::detail::microseconds(5)) == "0.005");
}
