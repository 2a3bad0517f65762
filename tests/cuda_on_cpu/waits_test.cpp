// tests > [cuda_on_cpu]
//
// Training does not wait for the GPU: no step asks that all which is queued be done.
#include <doctest/doctest.h>

#include "entrain/cuda.cuh"
#include "tests/cuda/cases/skipped.hpp"

namespace waits_test {
using namespace entrain;

namespace {

template <class Optimizer, class P = precision::Fp32> std::size_t waits_of_ten_steps() {
  using Case = entrain::test::TrainerCase<entrain::test::LightTagger, Optimizer>;
  using Trainer = train::Trainer<typename Case::Model, P, device::Cuda<>, Optimizer>;
  const device::Cuda<> dev;
  const train::Tagged split = train::tagged(Case::corpus(12), {});
  const typename Trainer::Labels labels({"LOC", "PER"});
  auto encoded = batch::encode<typename Case::Words>(split.corpus);
  train::set_targets(encoded, split, labels, "conlleval");
  const std::vector<std::uint32_t> order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const auto rows = static_cast<int>(encoded.word.size());
  Trainer trainer(dev, labels, rows, 1);
  batch::Packer<typename Case::Words> packer(rows);
  std::uint32_t told = 0;
  const auto steps = [&](int count) {
    for (int i = 0; i < count; ++i) {
      for (int micro_batch = 0; micro_batch < 3; ++micro_batch)
        trainer.accumulate(packer.pack(encoded, order, labels.count()), 0.1f);
      trainer.update({}, 0.01, 1);
      trainer.results([&](const optim::StepResult& r) { CHECK(r.step == ++told); });
    }
  };
  steps(2);  // memory for batches is taken
  const std::size_t before = harness::Machine::now().waits;
  steps(10);
  const std::size_t waits = harness::Machine::now().waits - before;
  CHECK(told >= 12 - Trainer::under_way);
  trainer.results([&](const optim::StepResult& r) { CHECK(r.step == ++told); }, optim::Wait::for_all);
  CHECK(told == 12);
  return waits;
}

}  // namespace

TEST_CASE("a step on the GPU waits for nothing") {
  CHECK(waits_of_ten_steps<optim::AdamW>() == 0);
  CHECK(waits_of_ten_steps<optim::AdamW, entrain::test::Fp16TooLarge>() == 0);
  CHECK(waits_of_ten_steps<optim::LazyUpdate<optim::Averaged<optim::AdamW>>>() == 0);
}

}  // namespace waits_test
