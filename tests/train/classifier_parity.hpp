// tests > [train]: a classifier of texts on an encoder of Hugging Face, from text to logits, gradients and a hundred
// steps, compared with transformers: golden/bert_texts and those of the other families, made by
// scripts/golden/bert_texts.py.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "entrain/cpu_classifier.hpp"
#include "entrain/family/tensor_names.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/folder/pretrained.hpp"
#include "tests/train/expected.hpp"
#include "tests/train/first_pass.hpp"
#include "tests/train/tiny_bert.hpp"

namespace test::parity {
using namespace entrain;

using One = task::Classification<task::One>;
using Many = task::Classification<task::ManyOf<64>>;
template <class Task> using Bert = model::FineTunedClassifier<model::Encoder<test::BertTables, test::BertStack>, Task>;
template <class Task> using DistilBert =
    model::FineTunedClassifier<model::Encoder<test::DistilBert::Embedding, test::BertStack>, Task>;
template <class Task> using Electra =
    model::FineTunedClassifier<model::Encoder<test::Electra::Embedding, test::BertStack>, Task>;
template <class Task> using Roberta =
    model::FineTunedClassifier<model::Encoder<test::Roberta::Embedding, test::Roberta::Encode>, Task>;
template <class Task> using XlmRoberta =
    model::FineTunedClassifier<model::Encoder<test::XlmRoberta::Embedding, test::XlmRoberta::Encode>, Task>;
template <class Task> using ModernBert = model::FineTunedClassifier<test::ModernBertEncoder, Task, pool::Mean>;
// Also through a wrapper, an encoder has its family's pooler.
static_assert(
    std::is_same_v<model::PoolerOf<model::FrozenEmbedding<model::Encoder<test::Electra::Embedding, test::BertStack>>>,
                   layer::Sequence<layer::Dropout<16>, layer::Dense<16, 16, act::Gelu>, layer::Dropout<16>>>);
static_assert(std::is_same_v<
              model::PoolerOf<model::FrozenEmbedding<model::Encoder<test::DistilBert::Embedding, test::BertStack>>>,
              layer::Sequence<layer::Dense<16, 16, act::Relu>, layer::Dropout<16>>>);
inline const std::string bert = ENTRAIN_SOURCE_DIR "/tests/train/golden/bert_texts",
                         distilbert = ENTRAIN_SOURCE_DIR "/tests/train/golden/distilbert_texts",
                         electra = ENTRAIN_SOURCE_DIR "/tests/train/golden/electra_texts",
                         roberta = ENTRAIN_SOURCE_DIR "/tests/train/golden/roberta_texts",
                         xlm_roberta = ENTRAIN_SOURCE_DIR "/tests/train/golden/xlm_roberta_texts",
                         modern_bert = ENTRAIN_SOURCE_DIR "/tests/train/golden/modern_bert_texts";

/// texts.txt with its first column as classes, or its second.
inline text::Corpus texts_of(const std::string& folder, bool many) {
  std::ifstream in(folder + "/texts.txt");
  text::Corpus corpus;
  corpus.classes.names = {"bad", "good", "mixed", "none", "odd"};
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    const std::string classes = "," + (many ? line.substr(first + 1, second - first - 1) : line.substr(0, first)) + ",";
    std::vector<text::Token> words;
    const std::string text = line.substr(second + 1);
    text::Whitespace::split(text, words);
    corpus.push(text, std::span<const text::Token>(words), -1, 1);
    std::vector<std::int32_t> ids;
    for (std::size_t k = 0; k < corpus.classes.names.size(); ++k)
      if (classes.find("," + corpus.classes.names[k] + ",") != classes.npos) ids.push_back(static_cast<int>(k));
    corpus.end_sentence(ids);
  }
  return corpus;
}

template <class Model, class P>
void classifier_against_transformers(const std::string& folder, const std::string& kind, double tolerance) {
  using D = device::Cpu<>;
  using T = typename P::Master;
  using Features = typename Model::Features;
  using Trainer = train::Trainer<Model, P, D, optim::AdamW>;
  using Task = typename Trainer::Task;
  CAPTURE(folder);
  CAPTURE(kind);
  const auto theirs = [](const std::string& ours) { return family::stored_name(ours, Model::family, true); };
  const auto pretrained = [](const std::string& name) { return family::is_pretrained(name, *Model::family); };
  const D dev(2);
  const text::Corpus corpus = texts_of(folder, kind == "many");
  const typename Trainer::Labels labels(corpus.classes.names);
  auto e = batch::encode<Features>(corpus, train::open_features<Features>(folder));
  CHECK(Task::set_targets(e, corpus, labels).unseen == 0);
  std::vector<std::uint32_t> all;
  int rows = 0;
  for (std::uint32_t s = 0; s < e.sentences(); ++s) all.push_back(s), rows += e.rows[s];
  batch::Packer<Features> packer(rows);
  const auto packed = packer.pack(e, all, labels.count());
  REQUIRE(packed.shape.sentences == 6);
  CHECK(packed.words.texts[6] == rows);

  Trainer trainer(dev, labels, rows, 0);
  const auto weights = file(folder + "/model.safetensors"), expected = file(folder + "/expected.safetensors");
  if constexpr (std::is_same_v<T, double>)
    CHECK(train::read_pretrained(folder, trainer.layout(), *Model::family, checkpoint::Dtype::f64,
                                 reinterpret_cast<std::byte*>(trainer.values()))
              .size() == (pretrained(theirs("head.pooler.dense.weight")) ? 2 : 4));  // the head's
  test::set_values(trainer, weights, theirs, [&](const Span& s) {
    return std::is_same_v<T, float> || (s.name.starts_with("head.") && !pretrained(theirs(s.name)));
  });

  {  // loss, gradients and probabilities
    FirstPass<Model, P, D> pass(dev, trainer, packed, rows, labels.count());
    CHECK(off(&pass.loss, numbers<double>(expected, kind + ".loss")) < tolerance);
    test::gradients_equal(trainer.layout(), pass.gradients, pass.stamps, expected, kind + ".gradient.", theirs,
                          tolerance);
    const auto logits = numbers<double>(expected, "logits");
    std::vector<float> p(logits.size());
    trainer.decode(packed, p.data());
    for (std::size_t s = 0; s < 6; ++s) {
      double sum = 0;
      for (std::size_t k = 0; k < 5; ++k) sum += std::exp(logits[s * 5 + k]);
      for (std::size_t k = 0; k < 5; ++k) {
        const double e_z = std::exp(logits[s * 5 + k]);
        CHECK(static_cast<double>(p[s * 5 + k]) ==
              doctest::Approx(e_z / (Task::exclusive ? sum : 1 + e_z)).epsilon(1e-5));
      }
    }
  }

  const auto losses = numbers<double>(expected, kind + ".losses");
  REQUIRE(losses.size() == 100);
  double worst = 0;
  for (const double wanted : losses) {  // one batch a step
    trainer.accumulate(packed, 0);
    trainer.update({}, 1e-3, 1.0);
    // Relative to at least 0.1: the last losses are down to 0.003, where the rounding of fp32 scores is not.
    const double error =
        std::abs(trainer.result().mean_loss() - wanted) / std::max(wanted, std::is_same_v<T, float> ? 0.1 : 0.0);
    worst = !(error <= worst) ? error : worst;
  }
  CHECK(worst < tolerance);
}

}  // namespace test::parity
