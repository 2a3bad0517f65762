// tests > [app]: who is to blame for a training that waits, and what helps, of times that are given.
#include "entrain/app/train/loader_bottleneck.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace starvation_test {
using namespace entrain;

namespace {
using enum Activity;

Times times_of(std::vector<std::pair<Activity, double>> training) {
  Times t;
  t.names.assign(activity_names.begin(), activity_names.end());
  t.names.push_back("my stage");
  for (std::size_t a = t.names.size(); a < activities; ++a) t.names.push_back("?");
  for (const auto& [a, seconds] : training) t.training[a] = seconds;
  return t;
}
/// Of a stage's threads while the training waits; what is left of their time they idle.
StageTimes stage(std::string name, int threads, double waited, std::vector<std::pair<Activity, double>> in_turn,
                 std::vector<std::pair<Activity, double>> beside) {
  StageTimes s;
  s.name = std::move(name);
  s.threads = threads;
  for (const auto& [a, seconds] : in_turn) s.in_turn_starved[a] = s.in_turn[a] = seconds;
  for (const auto& [a, seconds] : beside) s.beside_starved[a] = s.beside[a] = seconds;
  s.beside_starved[idle] += threads * waited - s.in_turn_starved.total() - s.beside_starved.total();
  return s;
}
double share_of(const app::LoaderBottleneck& s, const std::string& name) {
  double share = 0;
  for (const app::Cause& c : s.causes)
    if (c.name == name) share += c.share;
  return share;
}
std::string said(const Times& t, const app::LoaderFacts& facts = {1, 4}) { return app::verdict(t, {}, facts); }
}  // namespace

TEST_CASE("starvation: shares are of the training's time, without evaluations and saving") {
  Times t = times_of({{compute, 50}, {update, 10}, {wait, 30}, {idle, 10}, {evaluate, 400}, {save, 300}});
  t.stages = {stage("tokenise", 1, 30, {{read, 6}}, {{parse, 3}, {tokenise, 21}})};
  const app::LoaderBottleneck s = app::loader_bottleneck(t);
  CHECK(s.seconds == doctest::Approx(100));
  CHECK(s.waited == doctest::Approx(0.3));
  REQUIRE(s.causes.size() == 3);
  CHECK(s.causes[0].name == "tokenise");
  CHECK(s.causes[0].share == doctest::Approx(0.21));
  CHECK(s.causes[1].name == "read");
  CHECK(s.causes[1].share == doctest::Approx(0.06));
  CHECK(s.causes[1].in_turn);
  CHECK(s.causes[2].share == doctest::Approx(0.03));
  CHECK(said(t) ==
        "training waited 30.0 % of the time for data: tokenise 21.0 %, read 6.0 %, parse 3.0 %; raise "
        "--loader-workers (now 1), or keep the encoded corpus with --cache");
}

TEST_CASE("bottleneck: a slow reader is reported, for any number of threads that work at the same time") {
  for (const int threads : {1, 2, 8}) {
    Times t = times_of({{compute, 40}, {wait, 60}});
    t.stages = {stage("tokenise", threads, 60, {{read, 57}}, {{tokenise, threads == 1 ? 3.0 : 40.0}}),
                stage("pack", 1, 60, {{wait, 55}}, {{pack, 5}})};
    const app::LoaderBottleneck s = app::loader_bottleneck(t);
    CHECK(share_of(s, "read") == doctest::Approx(0.57));
    CHECK(share_of(s, "tokenise") == doctest::Approx(threads == 1 ? 0.03 : 0.0));
    CHECK(share_of(s, "pack") == 0);
    CHECK(said(t).find("data: read 57.0 %") != std::string::npos);
  }
}

TEST_CASE("bottleneck: threads that work at the same time are reported when all of them work") {
  Times t = times_of({{compute, 40}, {wait, 60}});
  t.stages = {stage("tokenise", 4, 60, {{read, 40}}, {{tokenise, 190}})};
  const app::LoaderBottleneck s = app::loader_bottleneck(t);
  CHECK(share_of(s, "tokenise") == doctest::Approx(0.6 * 190 / 240));
  CHECK(share_of(s, "read") == doctest::Approx(0.6 * 40 / 240));
  CHECK(s.causes[0].name == "tokenise");
  CHECK_FALSE(s.causes[0].in_turn);
}

TEST_CASE("starvation: of stages after each other, the one that had most to do") {
  Times t = times_of({{compute, 50}, {wait, 50}});
  t.stages = {stage("tokenise", 2, 50, {{read, 1}}, {{tokenise, 20}}),
              stage("shuffle", 1, 50, {{wait, 4}, {shuffle, 45}}, {}), stage("pack", 1, 50, {{wait, 44}}, {{pack, 6}})};
  CHECK(app::loader_bottleneck(t).causes.size() == 1);
  CHECK(share_of(app::loader_bottleneck(t), "shuffle") == doctest::Approx(0.45));
  CHECK(said(t).ends_with("shuffle 45.0 %; one thread fills the shuffle buffer: lower --shuffle-buffer"));
}

TEST_CASE("starvation: a stage whose threads came late is not taken for one that worked all the time") {
  Times t = times_of({{compute, 50}, {wait, 50}});
  StageTimes late = stage("late", 1, 0, {}, {{tokenise, 5}});
  late.beside_starved[idle] = 0;
  t.stages = {late, stage("pack", 1, 50, {}, {{pack, 20}})};
  CHECK(app::loader_bottleneck(t).causes.at(0).name == "pack");
}

TEST_CASE("starvation: what the training's own thread makes of its data counts as waiting") {
  Times t = times_of({{compute, 70}, {pack, 20}, {Activity::own, 4}, {read, 5}, {wait, 1}});
  const app::LoaderBottleneck s = app::loader_bottleneck(t);
  CHECK(s.waited == doctest::Approx(0.3));
  CHECK(share_of(s, "pack") == doctest::Approx(0.2));
  CHECK(said(t, {0, 4}) ==
        "training waited 30.0 % of the time for data: pack 20.0 %, read 5.0 %, my stage 4.0 %; the training thread "
        "does this between its steps: raise --loader-workers (now 0)");
  CHECK(said(t, {-1, 4}).ends_with("; the work is too small for another thread"));
}

TEST_CASE("verdict: which knob, for each cause") {
  const auto of = [&](Activity a, bool in_turn, const app::LoaderFacts& facts, double cpu = 0) {
    Times t = times_of({{compute, 50}, {wait, 50}});
    t.wall = 100, t.cpu = cpu;
    const std::vector<std::pair<Activity, double>> work{{a, 50}};
    t.stages = {in_turn ? stage("loader", 1, 50, work, {}) : stage("loader", 1, 50, {}, work)};
    const std::string text = said(t, facts);
    CHECK(text.starts_with("training waited 50.0 % of the time for data: "));
    return text.substr(text.find("; ") + 2);
  };
  CHECK(of(read, true, {1, 4, false, 12.3e6}) ==
        "the disk or the pipe delivers 12.3 MB/s: use a faster disk, or compress the files, or keep the encoded corpus "
        "with "
        "--cache");
  CHECK(of(read, true, {1, 4, true}) == "the disk or the pipe is too slow: use a faster disk, or compress the files");
  CHECK(of(parse, false, {3, 4, false}) == "raise --loader-workers (now 3), or keep the encoded corpus with --cache");
  CHECK(of(pack, false, {3, 4, true}) == "raise --loader-workers (now 3)");
  CHECK(of(pack, true, {3, 4}) == "one thread packs the batches: raise --token-budget");
  CHECK(of(Activity::own, false, {8, 4, true}) == "raise --loader-workers (now 8)");  // it may sleep
  CHECK(of(map, true, {8, 4, true}) ==
        "one thread at a time runs the stage: divide it into read() and work() (batch/pipeline/stage.hpp)");
  CHECK(of(tokenise, false, {8, 4}, 361) ==
        "all cores are busy: keep the encoded corpus with --cache, or use more cores");
  CHECK(of(tokenise, false, {8, 4, true}, 361) == "all cores are busy: use more cores");
  CHECK(of(tokenise, false, {8, 4, true}, 359) == "raise --loader-workers (now 8)");
  CHECK(of(tokenise, false, {-1, 4, true}, 100) == "it has as many threads as are useful: use more cores");
}

TEST_CASE("verdict: a training that has its batches, and one of which nothing is known") {
  Times t = times_of({{compute, 99.7}, {wait, 0.3}});
  CHECK(said(t) == "training never waited for data (0.3 %)");
  t.training[wait] = 1.1;
  CHECK(said(t) ==
        "training waited 1.1 % of the time for data; its threads were idle, or had no free core: lower --threads");
  t.training[compute] = 50, t.training[wait] = 50;
  t.stages = {stage("pack", 1, 50, {}, {{pack, 24}})};
  CHECK(said(t).ends_with("for data: pack 24.0 %; its threads were idle, or had no free core: lower --threads"));
  t.stages = {stage("pack", 1, 50, {}, {{pack, 26}})};
  CHECK(said(t).find("pack 26.0 %; raise --loader-workers") != std::string::npos);
  CHECK(said(times_of({})) == "training never waited for data (0.0 %)");
}

TEST_CASE("verdict: a GPU that has too little to do, and why: data, launches, copies") {
  Times t = times_of({{launch, 60}, {wait, 40}});
  t.stages = {stage("tokenise", 2, 40, {{read, 4}}, {{tokenise, 76}})};
  const app::LoaderFacts facts{2, 8};
  CHECK(app::verdict(t, {97, 3, 10, 5}, facts) == "the GPU was busy: it was idle 3.0 % of the time");
  CHECK(app::verdict(t, {40, 60, 10, 5}, facts) ==
        "the GPU was idle 60.0 % of the time, as training waited 40.0 % for data: tokenise 38.0 %, read 2.0 %; "
        "raise --loader-workers (now 2), or keep the encoded corpus with --cache");
  CHECK(app::verdict(t, {40, 60, 10, 55}, facts) ==
        "the GPU was idle 60.0 % of the time: it waited for kernel launches (launch 55.0 %); raise "
        "--token-budget");
  CHECK(app::verdict(t, {45, 55, 90, 5}, facts) ==
        "the GPU was idle 55.0 % of the time: it waited for copies of batches (copy 90.0 %); keep the corpus on the "
        "GPU with batch::Resident");
  t.training[wait] = 0;
  CHECK(app::verdict(t, {90, 10, 50, 5}, facts).find("it waited for kernel launches") != std::string::npos);
  CHECK(app::verdict(t, {45, 55, 40, 5}, facts).find("it waited for kernel launches") != std::string::npos);
}

TEST_CASE("time lines: shares of each stage's threads, the largest first") {
  Times t = times_of({{compute, 50}, {wait, 30}, {idle, 19.5}, {update, 0.5}, {save, 0.26}, {evaluate, 1.04}});
  t.stages = {stage("tokenise", 2, 100, {{read, 20}}, {{tokenise, 100}}), stage("pack", 1, 100, {}, {{pack, 100}})};
  t.stages[0].beside[idle] = 80;
  const std::vector<std::string> expected{
      "train: compute 50.0 %, wait 30.0 %, other 19.5 %; meanwhile evaluate 1.0 s, save 0.3 s",
      "tokenise, 2 threads: tokenise 50.0 %, nothing 40.0 %, read 10.0 %", "pack: pack 100.0 %"};
  CHECK(app::time_lines(t) == expected);
  t.training[evaluate] = 0.04;
  CHECK(app::time_lines(t)[0].ends_with("; meanwhile save 0.3 s"));
  CHECK(app::time_lines(times_of({})).empty());
}

}  // namespace starvation_test
