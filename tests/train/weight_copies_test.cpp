// tests > [train]
//
// Weights in bf16 that products read: the copies are those of the values, after each step and after a caller wrote
// values.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "entrain/layer/frozen_first.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/train/data/features.hpp"
#include "tests/train/tiny.hpp"
#include "tests/train/tiny_bert.hpp"

namespace weight_copies_test {
/// The same products, which pack each weight.
template <class Policy> struct WithoutCopies : Policy {
  template <class T> static constexpr bool copies_weights = false;
};
}  // namespace weight_copies_test

namespace entrain::kernel {
template <class Policy> struct Gemm<device::Cpu<weight_copies_test::WithoutCopies<Policy>>>
    : detail::BlockProduct<weight_copies_test::WithoutCopies<Policy>> {};
}  // namespace entrain::kernel

namespace weight_copies_test {
using namespace entrain;
using namespace test;

namespace {

inline constexpr encode::TransformerConfig width{.width = 32, .heads = 2, .intermediate = 64};
using Tables = embed::Bert<embed::EmbeddingConfig{.vocabulary = 21, .positions = 40, .width = 32}>;
using Stack = layer::Stack<2, encode::PostNormBlock<width>>;
using Head = head::WithDropout<head::Softmax<32, text::Bio>>;
using Wide = model::Tagger<Tables, Stack, Head>;
using LastBlock = model::Tagger<Tables, layer::FrozenFirst<1, Stack>, Head>;
using Averaged = optim::Averaged<optim::AdamW>;

template <class Model, class D, class Optimizer> struct Training {
  using Trainer = train::Trainer<Model, precision::Fp32, D, Optimizer>;
  using Features = typename Model::Features;

  explicit Training(std::uint64_t seed) : trainer(dev, labels, 200, seed) {
    e = batch::encode<Features>(split.corpus, train::open_features<Features>(golden_bert));
    train::set_targets(e, split, labels, "conlleval");
  }
  /// Steps of two micro-batches each; returns the last loss.
  double steps(int count) {
    std::vector<std::uint32_t> all(e.sentences());
    for (std::uint32_t s = 0; s < e.sentences(); ++s) all[s] = s;
    for (int step = 0; step < count; ++step) {
      for (int micro_batch = 0; micro_batch < 2; ++micro_batch)
        trainer.accumulate(packer.pack(e, all, labels.count()), 0);
      trainer.update({}, 1e-2, 0);
    }
    return trainer.result().loss;
  }
  /// Training continues from the values of another one.
  void start_from(auto& other) {
    const float* const values = other.trainer.values();
    std::copy_n(values, trainer.layout().size, trainer.values());
    trainer.start_average();
  }

  const D dev{2};
  const train::Tagged split = train::tagged(text::read_conll(golden_bert + "/sentences.conll"), {});
  const typename Trainer::Labels labels{split.types.names()};
  batch::Encoded<Features> e;
  batch::Packer<Features> packer{200};
  Trainer trainer;
};

template <class Model, class Policy, class Optimizer = optim::AdamW> void check_copies() {
  Training<Model, device::Cpu<Policy>, Optimizer> trained(7), other(8);
  Training<Model, device::Cpu<WithoutCopies<Policy>>, Optimizer> without(7);
  CHECK(trained.steps(1) == without.steps(1));
  for (int step = 0; step < 2; ++step)  // gradients of stacked weights are summed in another order
    CHECK(trained.steps(1) == doctest::Approx(without.steps(1)).epsilon(1e-3));
  other.steps(1);  // has copies of its own values
  other.start_from(trained);
  without.start_from(trained);
  const double loss = trained.steps(1);
  CHECK(other.steps(1) == loss);
  CHECK(without.steps(1) == loss);
}

}  // namespace

TEST_CASE_TEMPLATE("weight copies: of the values after each step, and of those that a caller wrote", Policy,
                   kernel::AmxGemm, kernel::Bf16Gemm) {
  check_copies<Wide, Policy>();
  check_copies<LastBlock, Policy>();
  check_copies<Wide, Policy, Averaged>();
}

TEST_CASE("weight copies: part of the memory plan, on a device that has them") {
  const auto copies = [](auto device) {
    return train::Trainer<Wide, precision::Fp32, decltype(device), optim::AdamW>::planned(3, 100).copies;
  };
  const Layout layout = layout_of<Wide>(3);
  std::size_t factors = 0;
  for (const Span& s : layout.spans) {
    if (!s.factor) continue;
    CHECK(s.factor_offset == factors);
    factors += s.size();
  }
  CHECK(factors == 2 * (4 * 32 * 32 + 2 * 32 * 64));
  CHECK(layout.factors == factors);
  CHECK(copies(device::Cpu<kernel::Bf16Gemm>(1)) == factors * sizeof(float));
  CHECK(copies(device::Cpu<>(1)) == 0);
}

}  // namespace weight_copies_test
