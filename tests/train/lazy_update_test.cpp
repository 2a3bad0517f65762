// tests > [train]
//
// A trainer whose table rows wait is the trainer whose rows do not: losses, tags, values, to the bit.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "entrain/text/conll/conll.hpp"
#include "entrain/train/data/features.hpp"
#include "tests/train/tiny.hpp"
#include "tests/train/tiny_bert.hpp"

namespace deferred_test {
using namespace entrain;
using namespace test;

namespace {

/// Losses of steps of two micro-batches, tags in the middle, values at the end, as bits.
template <class Model, class Optimizer>
std::vector<std::uint32_t> run(const train::Tagged& split, typename Model::Features features) {
  using Trainer = train::Trainer<Model, precision::Fp32, device::Cpu<>, Optimizer>;
  using Features = typename Model::Features;
  const device::Cpu<> dev(2);
  const typename Trainer::Labels labels(split.types.names());
  auto e = batch::encode<Features>(split.corpus, std::move(features));
  train::set_targets(e, split, labels, "conlleval");
  Trainer trainer(dev, labels, 200, 7);
  batch::Packer<Features> packer(200);

  std::vector<float> seen;
  std::uint32_t next = 0;
  for (std::uint32_t step = 0; step < 60; ++step) {
    for (int micro_batch = 0; micro_batch < 2; ++micro_batch) {
      // One sentence again and again, from step 30 on another: rows of the first wait from then on.
      const std::vector<std::uint32_t> order{step < 30 ? 0 : 1 + next++ % 3};
      trainer.accumulate(packer.pack(e, order, labels.count()), 0.1f);
    }
    trainer.update({.weight_decay = 0.1}, 1e-2 * (1 - step / 60.0), 0.5);
    seen.push_back(static_cast<float>(trainer.result().loss));
    if (step % 25 == 24) {
      std::vector<std::uint32_t> all;
      for (std::uint32_t s = 0; s < e.sentences(); ++s) all.push_back(s);
      const auto packed = packer.pack(e, all, labels.count());
      std::vector<std::int32_t> tags(static_cast<std::size_t>(packed.shape.rows));
      trainer.decode(packed, tags.data());
      seen.insert(seen.end(), tags.begin(), tags.end());
    }
  }
  for (const auto* values : {trainer.best_values(), static_cast<const float*>(trainer.values())})
    seen.insert(seen.end(), values, values + trainer.layout().size);
  std::vector<std::uint32_t> bits(seen.size());
  std::memcpy(bits.data(), seen.data(), seen.size() * sizeof(float));
  return bits;
}

template <class Model, class Optimizer> void same_bits(const train::Tagged& split, typename Model::Features features) {
  CHECK(run<Model, Optimizer>(split, features) == run<Model, optim::LazyUpdate<Optimizer>>(split, features));
}

}  // namespace

TEST_CASE("deferred: a light tagger trains to the same bits, with and without the moving average") {
  same_bits<Tiny, optim::AdamW>(people(6), {});
  same_bits<Tiny, optim::Averaged<optim::Adam>>(people(6), {});
}

TEST_CASE("deferred: a transformer trains to the same bits") {
  const train::Tagged split = train::tagged(text::read_conll(golden_bert + "/sentences.conll"), {});
  same_bits<Bert, optim::AdamW>(split, train::open_features<Bert::Features>(golden_bert));
}

TEST_CASE("deferred: the plan counts what waiting takes") {
  const device::Cpu<> dev(1);
  const Labels labels({"PER"});
  const TrainerOf<optim::AdamW> now(dev, labels, 10, 0);
  const TrainerOf<optim::LazyUpdate<optim::AdamW>> waits(dev, labels, 10, 0);
  CHECK(waits.planned_bytes() > now.planned_bytes() + now.layout().stamps * 4);
  CHECK(waits.planned_bytes() < now.planned_bytes() + now.layout().stamps * 4 + 10000);
}

}  // namespace deferred_test
