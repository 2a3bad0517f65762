// tests > [cuda_on_cpu]
//
// A trainer takes just the memory of the GPU that was planned, whatever it is made of, and takes no more while it
// trains.
#include <doctest/doctest.h>

#include <cstddef>

#include "entrain/cuda.cuh"
#include "entrain/cuda_transformer.cuh"
#include "tests/cuda/cases/trainer.hpp"

namespace memory_test {
using namespace entrain;

namespace {

/// Bytes of all pieces that were asked for and not given back.
std::size_t taken() { return harness::Machine::now().taken; }

/// Every word another one, and each a sentence where `alone`: the most that a batch can hold.
text::Corpus all_different(int words, bool alone) {
  text::Corpus corpus;
  for (int i = 0; i < words; ++i) {
    corpus.push("word" + std::to_string(i * 7919), i % 3 == 0 ? "B-PER" : "O", static_cast<std::uint32_t>(i + 1));
    if (alone || i + 1 == words) corpus.end_sentence();
  }
  return corpus;
}

template <class Net, class P, class Optimizer> void takes_what_it_planned(int classes, bool alone) {
  using Trainer = train::Trainer<typename Net::Model, P, device::Cuda<>, Optimizer>;
  const device::Cuda<> dev;
  std::vector<std::string> types;
  for (int i = 0; i < classes; ++i) types.push_back("T" + std::to_string(i));
  types.push_back("PER");
  const typename Trainer::Labels labels(types);
  auto encoded = batch::encode<typename Net::Words>(all_different(40, alone), Net::features());
  int rows = 0;
  std::vector<std::uint32_t> order;
  for (const std::int32_t r : encoded.rows) {
    order.push_back(static_cast<std::uint32_t>(order.size()));
    rows += r;
  }
  const std::size_t before = taken();
  {
    Trainer trainer(dev, labels, rows, 3);
    const train::MemoryPlan& plan = trainer.memory_plan();
    CHECK(plan.rows == rows);
    CHECK(taken() - before == trainer.planned_bytes());
    CHECK(plan.asked() == trainer.planned_bytes());
    CHECK(plan.total() >= plan.asked());
    CHECK(plan.total() % (std::size_t(2) << 20) == 0);
    CHECK((plan.copies > 0) == !std::is_same_v<typename P::Weight, float>);
    const train::MemoryPlan again =
        train::memory_plan<typename Net::Model, P, device::Cuda<>, Optimizer>(trainer.layout(), labels.count(), rows);
    CHECK(again.total() == plan.total());

    batch::Packer<typename Net::Words> packer(rows);
    std::vector<std::int32_t> tags(encoded.word.size());
    const std::vector<float> weights(static_cast<std::size_t>(labels.count()), 2.0f);
    trainer.shape_loss(0.1, 2, weights);
    for (int step = 0; step < 2; ++step) {
      trainer.accumulate(packer.pack_to_learn(encoded, order, labels.count()), 0.1f);
      trainer.update({}, 0.01, 1);
    }
    trainer.decode(packer.pack(encoded, order, labels.count()), tags.data());
    trainer.best_values();
    trainer.result();
    CHECK(taken() - before == trainer.planned_bytes());
  }
  CHECK(taken() == before);
}

template <class P, class Optimizer> void light_takes_what_it_planned() {
  for (const int classes : {0, 7})
    for (const bool alone : {false, true})
      takes_what_it_planned<entrain::test::LightTagger, P, Optimizer>(classes, alone);
}

}  // namespace

TEST_CASE("a trainer takes the bytes of the GPU that it planned, in every precision and with every optimizer") {
  using Waits = optim::LazyUpdate<optim::Averaged<optim::AdamW>>;
  light_takes_what_it_planned<precision::Fp32, optim::Sgd>();
  light_takes_what_it_planned<precision::Fp32, optim::AdamW>();
  light_takes_what_it_planned<precision::Fp32, optim::Averaged<optim::AdamW>>();
  light_takes_what_it_planned<precision::Fp32, optim::LazyUpdate<optim::AdamW>>();
  light_takes_what_it_planned<precision::Bf16Mixed, optim::AdamW>();
  light_takes_what_it_planned<precision::Bf16Mixed, Waits>();
  takes_what_it_planned<entrain::test::LightChain, precision::Fp32, Waits>(1, false);
  takes_what_it_planned<entrain::test::SmallTransformer, precision::Fp32, optim::AdamW>(1, true);
  takes_what_it_planned<entrain::test::SmallTransformer, precision::Bf16Mixed, Waits>(1, false);
}

TEST_CASE("a device takes its workspaces, and no more") {
  const std::size_t before = harness::Machine::now().taken;
  const device::Cuda<> dev;
  CHECK(harness::Machine::now().taken - before == device::Cuda<>::workspace_bytes * dev.workspaces());
}

TEST_CASE("the largest batch that fits the free memory of the GPU does fit, and one row more does not") {
  using Trainer = train::Trainer<entrain::test::LightTagger::Model, precision::Fp32, device::Cuda<>, optim::AdamW>;
  const device::Cuda<> dev;
  const typename Trainer::Labels labels({"LOC", "PER"});
  const Layout layout = layout_of<Trainer::Model>(labels.count());
  const auto asked = [&](int rows) {
    return train::memory_plan<Trainer::Model, precision::Fp32, device::Cuda<>, optim::AdamW>(layout, labels.count(),
                                                                                             rows)
        .asked();
  };
  for (const std::size_t free : {std::size_t(1) << 18, std::size_t(3'333'333)}) {
    const int rows = train::largest_rows(free, 1 << 24, asked);
    CAPTURE(rows);
    CHECK(rows > 100);
    const harness::Machine before = harness::Machine::now();
    harness::Machine::now().bytes = before.taken + free;
    CHECK(dev.memory().free == free);
    CHECK_NOTHROW(Trainer(dev, labels, rows, 1));
    CHECK_THROWS_AS(Trainer(dev, labels, rows + 1, 1), Error);
    CHECK(harness::Machine::now().taken == before.taken);
    harness::Machine::now().bytes = before.bytes;
  }
}

}  // namespace memory_test
