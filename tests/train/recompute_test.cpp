// tests > [train]
//
// A model whose blocks compute their forward pass again trains to the bits of one whose blocks do not, with dropout:
// a state of one may be resumed by the other.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "entrain/text/conll/conll.hpp"
#include "entrain/train/data/data.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/data/targets.hpp"
#include "tests/train/tiny_bert.hpp"

namespace recompute_test {
using namespace entrain;

namespace {

/// The values after three steps of two micro-batches.
template <class Stack> std::vector<float> trained(float dropout) {
  using Model = model::Tagger<test::BertTables, Stack, test::BertHead>;
  using Trainer = train::Trainer<Model, precision::Fp32, device::Cpu<>, optim::AdamW>;
  const train::Tagged split = train::tagged(text::read_conll(test::golden_bert + "/sentences.conll"), {});
  const typename Trainer::Labels labels({"PER", "LOC"});
  auto e = batch::encode<typename Model::Features>(split.corpus,
                                                   train::open_features<typename Model::Features>(test::golden_bert));
  train::set_targets(e, split, labels, "conlleval");
  const device::Cpu<> dev(2);
  batch::Packer<typename Model::Features> packer(64);
  Trainer trainer(dev, labels, 64, 5);
  for (int step = 0; step < 3; ++step) {
    for (const auto& some : {std::vector<std::uint32_t>{0, 1}, std::vector<std::uint32_t>{2, 3}})
      trainer.accumulate(packer.pack(e, some, labels.count()), dropout);
    trainer.update({}, 1e-2, 1);
  }
  return {trainer.values(), trainer.values() + trainer.layout().size};
}

using Block = encode::PostNormBlock<test::tiny_width>;

}  // namespace

TEST_CASE("recompute: a tagger that reads some rows of the last block trains to the same bits, with dropout") {
  for (const float dropout : {0.0f, 0.25f}) {
    const auto plain = trained<layer::Stack<2, Block>>(dropout);
    CHECK(trained<layer::Stack<2, layer::Recompute<Block>>>(dropout) == plain);
    CHECK(trained<layer::Recompute<layer::Stack<2, Block>>>(dropout) == plain);
  }
  const auto frozen = trained<layer::FrozenFirst<1, layer::Stack<2, Block>>>(0.25f);
  CHECK(trained<layer::FrozenFirst<1, layer::Stack<2, layer::Recompute<Block>>>>(0.25f) == frozen);
}

}  // namespace recompute_test
