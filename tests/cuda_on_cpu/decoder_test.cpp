// tests > [cuda_on_cpu]
//
// A model that was trained on the GPU is read back there: each workspace has its values in the types that layers read,
// and of the optimizer's only what layers read of them.
#include "entrain/predict/decoder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "entrain/batch/pack/budget.hpp"
#include "entrain/cuda.cuh"
#include "entrain/train/folder/save.hpp"
#include "entrain/train/loop/decode.hpp"
#include "tests/cuda/cases/trainer.hpp"
#include "tests/scratch.hpp"

namespace decoder_test {
namespace batch = entrain::batch;
namespace device = entrain::device;
namespace optim = entrain::optim;
namespace predict = entrain::predict;
namespace precision = entrain::precision;
namespace text = entrain::text;
namespace train = entrain::train;
namespace cases = entrain::test;

namespace {

/// Tags of a trained model, and of the same one read from its folder, by two workspaces.
template <class P, class Net> void tags_as_the_trainer_has_them() {
  using Case = cases::TrainerCase<Net, optim::Averaged<optim::AdamW>>;
  using D = device::Cuda<>;
  using Trainer = train::Trainer<typename Case::Model, P, D, optim::Averaged<optim::AdamW>>;
  const D dev;
  const typename Case::template Data<Trainer> data(40);
  Trainer trainer(dev, data.labels, data.rows, 11);
  batch::Packer<typename Case::Words> packer(data.rows);
  for (int step = 0; step < 8; ++step) data.step(trainer, packer, 0.2f);
  trainer.results([](const optim::StepResult&) {}, optim::Wait::for_all);
  std::vector<std::int32_t> expected(data.encoded.word.size()), found = expected;
  const auto pack = [&] { return packer.pack(data.encoded, data.order, data.labels.count()); };
  trainer.decode(pack(), expected.data());
  const ::test::Scratch folder;
  train::save(trainer, folder.path(), {});

  const predict::Net<typename Case::Model, P, D> net(folder.path());
  predict::Decoder<typename Case::Model, P, D> first(net, data.rows), second(net, data.rows);
  for (auto* const decoder : {&first, &second}) {
    found.assign(found.size(), -1);
    decoder->decode(pack(), found.data());
    CHECK(found == expected);
    // Batch after batch, two of them on their way; one that was not asked for is not taken for the next.
    decoder->decode(pack());
    batch::Budget batches;
    batches.in_order(data.encoded.sentences());
    batches.plan(data.encoded.sentences(), data.encoded.longest(), data.encoded.rows);
    REQUIRE(batches.size() > 2);
    std::vector<std::int32_t> one_by_one;
    train::decode_batches(*decoder, data.encoded, batches, packer, [&](std::size_t, std::span<const text::Tag> tags) {
      one_by_one.insert(one_by_one.end(), tags.begin(), tags.end());
    });
    std::vector<std::uint32_t> in_order(static_cast<std::size_t>(data.encoded.sentences()));
    std::iota(in_order.begin(), in_order.end(), 0u);
    decoder->decode(packer.pack(data.encoded, in_order, data.labels.count()), found.data());
    CHECK(one_by_one == found);
  }
  CHECK(*std::ranges::max_element(expected) > *std::ranges::min_element(expected));
}

}  // namespace

TEST_CASE("a model read back on the GPU finds the tags that its trainer finds, to the bit") {
  tags_as_the_trainer_has_them<precision::Fp32, cases::LightTagger>();
  tags_as_the_trainer_has_them<precision::Bf16Mixed, cases::LightTagger>();
  tags_as_the_trainer_has_them<precision::Fp16Mixed, cases::LightChain>();
}

}  // namespace decoder_test
