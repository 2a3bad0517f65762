// tests > [train]
//
// A schedule of one's own says each step's learning rate, and a training that is resumed must have the same one.
#include "entrain/optim/schedule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "entrain/train/loop/fit.hpp"
#include "entrain/train/state/resume.hpp"
#include "tests/train/tiny.hpp"

namespace schedule_test {
using namespace entrain;
using namespace test;

namespace {
struct InverseRoot {
  static constexpr std::string_view name = "inverse root";
  optim::Schedule usual;
  explicit InverseRoot(const optim::Schedule& s) : usual(s) {}
  double operator()(std::uint32_t step) const { return usual.learning_rate / std::sqrt(step + 1.0); }
};

template <class Optimizer> std::vector<double> rates_of() {
  train::Options options;
  options.epochs = 2;
  options.token_budget = 30;
  options.learning_rate = 0.01;
  options.word_dropout = 0;
  const device::Cpu<> dev(1);
  const train::Tagged split = people(20);
  const Labels labels(split.types.names());
  TrainerOf<Optimizer> trainer(dev, labels, options.token_budget, options.seed);
  std::vector<double> rates;
  train::fit(
      trainer, encoded(split, labels), options, [&](const train::StepReport& r) { rates.push_back(r.learning_rate); },
      [] { return -1.0; }, [](std::uint32_t, double, bool) {});
  return rates;
}

template <class Optimizer> std::vector<checkpoint::NamedText> shared() {
  const train::Tagged split = people(20);
  const Labels labels(split.types.names());
  const device::Cpu<> dev(1);
  const TrainerOf<Optimizer> trainer(dev, labels, 30, 0);
  return train::shared(trainer, encoded(split, labels), {});
}
}  // namespace

TEST_CASE("fit: each step has the learning rate of the optimizer's schedule") {
  using Own = optim::Scheduled<optim::AdamW, InverseRoot>;
  const std::vector<double> usual = rates_of<optim::AdamW>(), own = rates_of<Own>();
  REQUIRE(own.size() == usual.size());
  REQUIRE(own.size() > 2);
  for (std::size_t step = 0; step < own.size(); ++step) {
    CHECK(usual[step] == 0.01);
    CHECK(own[step] == 0.01 / std::sqrt(static_cast<double>(step) + 1));
  }
  CHECK(rates_of<optim::LazyUpdate<Own>>() == own);
  CHECK(rates_of<optim::Scheduled<optim::Averaged<optim::AdamW>, InverseRoot>>() == own);
  CHECK(std::is_same_v<TrainerOf<optim::LazyUpdate<Own>>::Schedule, InverseRoot>);
}

TEST_CASE("resume: a schedule of one's own is among what trainings share, the usual one is not") {
  const auto usual = shared<optim::AdamW>(), own = shared<optim::Scheduled<optim::AdamW, InverseRoot>>();
  const auto schedule_in = [](const auto& list) {
    const auto found = std::find_if(list.begin(), list.end(), [](const auto& t) { return t.name == "schedule"; });
    return found == list.end() ? std::string("none") : found->text;
  };
  CHECK(schedule_in(usual) == "none");
  CHECK(schedule_in(own) == "inverse root");
  CHECK_NOTHROW(train::check_shared(own, own, "model"));
  CHECK_THROWS_AS(train::check_shared(usual, own, "model"), Error);
}

}  // namespace schedule_test
