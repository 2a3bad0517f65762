// tests > [cuda_on_cpu]
//
// A training in fp16 whose first steps are skipped: the loop counts them, tells the loss scale, and continues.
#include <doctest/doctest.h>

#include "entrain/cuda.cuh"
#include "entrain/train/loop/fit.hpp"
#include "tests/cuda/cases/skipped.hpp"

namespace skipped_test {
using namespace entrain;

TEST_CASE("fit: steps that are skipped are counted, and training continues") {
  using Case = entrain::test::TrainerCase<entrain::test::LightTagger, optim::AdamW>;
  using Trainer = train::Trainer<typename Case::Model, entrain::test::Fp16TooLarge, device::Cuda<>, optim::AdamW>;
  const typename Trainer::Device dev;
  Case::Data<Trainer> data(12);
  batch::add_unknown_word_copies(data.encoded);
  Trainer trainer(dev, data.labels, data.rows, 1);
  train::Options options;
  options.token_budget = data.rows;
  options.max_steps = 40;
  options.learning_rate = 0.01;
  options.calibrate = false;
  std::vector<train::StepReport> steps;
  const train::Outcome outcome = train::fit(
      trainer, data.encoded, options, [&](const train::StepReport& r) { steps.push_back(r); }, [] { return -1.0; },
      [](std::uint32_t, double, bool) {});
  REQUIRE(steps.size() == 40);
  CHECK(outcome.steps == 40);
  const std::uint32_t skipped = steps.back().skipped_steps;
  CHECK(outcome.skipped_steps == skipped);
  CHECK(trainer.loss_scale().skipped_steps == skipped);
  CHECK(skipped > 4);
  CHECK(skipped < 30);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    CHECK(steps[i].skipped_steps == std::min<std::size_t>(i + 1, skipped));  // the first ones, and no later one
    if (i > 0) CHECK(steps[i].device.busy >= steps[i - 1].device.busy);
    if (i > 0) CHECK(steps[i].loss_scale == (i <= skipped ? steps[i - 1].loss_scale / 2 : steps[i - 1].loss_scale));
  }
  CHECK(steps.back().device.busy > steps.front().device.busy);
  CHECK(steps.back().device.launching > 0);
  CHECK(steps.back().loss < 0.7 * steps[skipped].loss);
}

}  // namespace skipped_test
