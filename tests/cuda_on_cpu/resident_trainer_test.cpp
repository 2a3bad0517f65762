// tests > [cuda_on_cpu]
//
// A trainer whose corpus the GPU holds: its memory to the byte, no waiting, graphs, and what it refuses.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "entrain/cuda.cuh"
#include "entrain/cuda_resident.cuh"
#include "entrain/cuda_transformer.cuh"
#include "tests/cuda/cases/trainer.hpp"

namespace resident_trainer_test {
using namespace entrain;

namespace {

template <class Net, class Optimizer> struct Held {
  using Case = entrain::test::TrainerCase<Net, Optimizer, batch::Resident>;
  using Trainer = train::Trainer<typename Net::Model, precision::Fp32, device::Cuda<>, Optimizer, batch::Resident>;
  device::Cuda<> dev;
  typename Case::template Data<Trainer> data{12};
  std::size_t before = harness::Machine::now().taken;
  Trainer trainer{dev, data.labels, data.rows, 3};
  batch::Packer<typename Net::Words> packer{data.rows};

  std::size_t taken() const { return harness::Machine::now().taken - before; }
  std::string refused(auto&& f) {
    try {
      f();
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing";
  }
};

template <class Net, class Optimizer> void takes_what_it_planned() {
  Held<Net, Optimizer> h;
  auto& trainer = h.trainer;
  CHECK(h.taken() == trainer.planned_bytes());
  CHECK(trainer.memory_plan().corpus == 0);
  const std::size_t corpus = batch::corpus_bytes<batch::Resident>(h.data.encoded);
  CHECK(corpus > h.data.encoded.size() * 8);
  trainer.hold(h.data.encoded);
  CHECK(trainer.memory_plan().corpus == corpus);
  CHECK(h.taken() == trainer.planned_bytes());
  const auto plan = h.trainer.planned(h.data.labels.count(), h.data.rows, corpus);
  CHECK(plan.asked() == trainer.planned_bytes());
  CHECK(plan.total() % (std::size_t(2) << 20) == 0);
  using Streamed = train::Trainer<typename Net::Model, precision::Fp32, device::Cuda<>, Optimizer>;
  CHECK(plan.batch > Streamed::planned(h.data.labels.count(), h.data.rows).batch);

  std::uint32_t told = 0;
  const auto steps = [&](int count) {
    for (int i = 0; i < count; ++i) {
      h.data.step(trainer, h.packer, 0.1f);
      trainer.results([&](const optim::StepResult& r) { CHECK(r.step == ++told); });
    }
  };
  trainer.accumulate(h.data.order, 0.1f);  // the largest batch
  steps(2);
  const std::size_t waits = harness::Machine::now().waits;
  steps(12);
  CHECK(harness::Machine::now().waits == waits);
  CHECK(trainer.graphs() > 0);
  trainer.results([&](const optim::StepResult& r) { CHECK(r.step == ++told); }, optim::Wait::for_all);
  CHECK(told == 14);
  std::vector<std::int32_t> tags(h.data.encoded.size());
  trainer.decode(h.packer.pack(h.data.encoded, h.data.order, h.data.labels.count()), tags.data());
  CHECK(h.taken() == trainer.planned_bytes());
  trainer.hold(h.data.encoded);  // again: instead of the first
  CHECK(h.taken() == trainer.planned_bytes());
  steps(3);  // graphs again: none reads where the first one was
  trainer.results([&](const optim::StepResult& r) { CHECK(r.step == ++told); }, optim::Wait::for_all);
  CHECK(told == 17);
}

}  // namespace

TEST_CASE("a trainer that holds its corpus takes the bytes that it planned, waits for nothing, and is made of graphs") {
  takes_what_it_planned<entrain::test::SmallTransformer, optim::LazyUpdate<optim::AdamW>>();
  takes_what_it_planned<entrain::test::LightTagger, optim::AdamW>();
}

TEST_CASE("what a trainer that holds its corpus refuses") {
  Held<entrain::test::SmallTransformer, optim::Sgd> h;
  const std::vector<std::uint32_t> first{0}, thirteenth{12};
  CHECK(h.refused([&] { h.trainer.accumulate(first, 0); }) ==
        "entrain.batch.4: batch: sentence 0, counted from 0, expected one of the 0 sentences that the GPU holds; pass "
        "the corpus to hold() first");
  h.trainer.hold(h.data.encoded);
  CHECK(h.refused([&] {
           h.trainer.accumulate(thirteenth, 0);
         }).starts_with("entrain.batch.4: batch: sentence 12, counted from 0, expected one of the 12 "));
  auto twice = h.data.order;
  twice.push_back(0);
  CHECK(h.refused([&] { h.trainer.accumulate(twice, 0); })
            .starts_with("entrain.batch.5: batch: " + std::to_string(h.data.rows + h.data.encoded.rows[0]) +
                         " rows, expected at most " + std::to_string(h.data.rows) + ", "));
  CHECK(h.refused([&] {
           h.trainer.accumulate(first, 0, {0.1f, 1, 0, 0});
         }).starts_with("entrain.batch.6: word_dropout: a rate above 0, expected 0, "));

  auto& machine = harness::Machine::now();
  const std::size_t bytes = batch::corpus_bytes<batch::Resident>(h.data.encoded), all = machine.bytes;
  machine.bytes = machine.taken - 1;  // the corpus that is held is given back first
  CHECK(h.refused([&] { h.trainer.hold(h.data.encoded); })
            .starts_with("entrain.batch.3: corpus: " + std::to_string(bytes) + " bytes, encoded, expected at most " +
                         std::to_string(bytes - 1) + ", the bytes of free GPU memory"));
  machine.bytes = all;
  CHECK(h.refused([&] { h.trainer.accumulate(first, 0); }).starts_with("entrain.batch.4: "));
  h.trainer.hold(h.data.encoded);
  CHECK(h.refused([&] { h.trainer.accumulate(first, 0); }) == "nothing");
  h.trainer.update({}, 0.1, 1);
  CHECK(h.trainer.result().step == 1);
}

}  // namespace resident_trainer_test
