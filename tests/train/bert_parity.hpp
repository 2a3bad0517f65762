// tests > [train]: a tagger on an encoder of Hugging Face, from text to logits, gradients and twelve steps, compared
// with transformers: golden/bert, golden/distilbert, golden/electra, golden/electra_small, golden/roberta,
// golden/xlm_roberta and golden/modern_bert, made by scripts/golden/bert.py.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "entrain/family/tensor_names.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/train/data/data.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/data/targets.hpp"
#include "entrain/train/folder/pretrained.hpp"
#include "tests/train/expected.hpp"
#include "tests/train/first_pass.hpp"
#include "tests/train/tiny_bert.hpp"

namespace test::parity {
using namespace entrain;

/// The weights of the classifier, also of one after a prediction head.
auto classifier_of(const auto& w) {
  if constexpr (requires { w.head; }) {
    return w.head;
  } else {
    return w;
  }
}

template <class Model, class P, class D = device::Cpu<>>
void tagger_against_transformers(const std::string& folder, double tolerance, double of_losses) {
  using T = typename P::Master;
  using Features = typename Model::Features;
  using Trainer = train::Trainer<Model, P, D, optim::AdamW>;
  const auto theirs = [](const std::string& ours) { return family::stored_name(ours, Model::family); };
  const D dev(2);
  const train::Tagged split = train::tagged(text::read_conll(folder + "/sentences.conll"), {});
  const typename Trainer::Labels labels({"PER", "LOC"});
  auto e = batch::encode<Features>(split.corpus, train::open_features<Features>(folder));
  train::set_targets(e, split, labels, "conlleval");
  std::vector<std::uint32_t> all;
  int rows = 0;
  for (std::uint32_t s = 0; s < e.sentences(); ++s) all.push_back(s), rows += e.rows[s];
  batch::Packer<Features> packer(rows);
  const auto packed = packer.pack(e, all, labels.count());
  CHECK(packed.words.count == rows);
  CHECK(packed.shape.rows == 18);

  Trainer trainer(dev, labels, rows, 0);
  const auto weights = file(folder + "/model.safetensors"), expected = file(folder + "/expected.safetensors");
  if constexpr (std::is_same_v<T, double>) {
    CHECK(train::read_pretrained(folder, trainer.layout(), *Model::family, checkpoint::Dtype::f64,
                                 reinterpret_cast<std::byte*>(trainer.values()))
              .size() == 2);  // the classifier's tensors are left alone
  }
  test::set_values(trainer, weights, theirs,
                   [&](const Span& s) { return std::is_same_v<T, float> || s.name.starts_with("head."); });

  {  // logits, loss and gradients
    FirstPass<Model, P, D> pass(dev, trainer, packed, rows, labels.count());
    CHECK(off(&pass.loss, numbers<double>(expected, "loss")) < tolerance);
    std::vector<T> logits, padded(static_cast<std::size_t>(packed.shape.rows) *
                                  static_cast<std::size_t>(LabelMatrix<T>::padded(labels.count())));
    const LabelMatrix<T> scores(padded.data(), packed.shape.rows, labels.count());
    const auto classifier = classifier_of(pass.w.head);
    kernel::gemm_bias(dev, pass.saved.head.head.x, classifier.weight, classifier.bias, scores);  // as the head did
    for (int n = 0; n < packed.shape.rows; ++n)
      for (int k = 0; k < labels.count(); ++k) logits.push_back(scores(n, k));
    CHECK(off(logits.data(), numbers<double>(expected, "logits")) < tolerance);
    if constexpr (std::is_same_v<T, double>) {  // and where every piece bears its word's tag
      using Every =
          model::Tagger<embed::LabelAllTokens<typename Model::Embedding>, typename Model::Encode, typename Model::Head>;
      using OfEvery = typename Every::Features;
      auto every = batch::encode<OfEvery>(split.corpus, train::open_features<OfEvery>(folder));
      train::set_targets(every, split, labels, "conlleval");
      train::Trainer<Every, P, D, optim::AdamW> other(dev, labels, rows, 0);
      std::copy(trainer.values(), trainer.values() + trainer.layout().size, other.values());
      batch::Packer<OfEvery> other_packer(rows);
      const auto spread = other_packer.pack_to_learn(every, all, labels.count());
      CHECK(spread.shape.rows > 18);
      CHECK(spread.real_targets == spread.shape.rows);
      other.accumulate(spread, 0);
      other.update({}, 0, 0);
      const double of_every = other.result().loss;
      CHECK(off(&of_every, numbers<double>(expected, "loss_of_every_piece")) < tolerance);
    }
    test::gradients_equal(trainer.layout(), pass.gradients, pass.stamps, expected, "gradient.", theirs, tolerance);
  }

  const auto losses = numbers<double>(expected, "losses");
  for (const double wanted : losses) {  // one batch a step
    trainer.accumulate(packed, 0);
    trainer.update({}, 1e-3, 1.0);
    CHECK(std::abs(trainer.result().mean_loss() - wanted) < of_losses * wanted);
  }
}

}  // namespace test::parity
