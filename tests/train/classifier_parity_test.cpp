// tests > [train]
//
// A classifier of texts in a folder of Hugging Face's, from text to logits, gradients and a hundred steps, against
// transformers itself: golden/bert_texts and those of the other families, made by scripts/golden/bert_texts.py.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "entrain/cpu_classifier.hpp"
#include "entrain/family/tensor_names.hpp"
#include "entrain/predict/predictor.hpp"
#include "entrain/text/corpus/in_words.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/folder/pretrained.hpp"
#include "entrain/train/folder/save.hpp"
#include "tests/scratch.hpp"
#include "tests/train/expected.hpp"
#include "tests/train/tiny_bert.hpp"

namespace classifier_parity_test {
using namespace entrain;
using test::file, test::numbers, test::off;

namespace {
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
const std::string bert = ENTRAIN_SOURCE_DIR "/tests/train/golden/bert_texts",
                  distilbert = ENTRAIN_SOURCE_DIR "/tests/train/golden/distilbert_texts",
                  electra = ENTRAIN_SOURCE_DIR "/tests/train/golden/electra_texts",
                  roberta = ENTRAIN_SOURCE_DIR "/tests/train/golden/roberta_texts",
                  xlm_roberta = ENTRAIN_SOURCE_DIR "/tests/train/golden/xlm_roberta_texts",
                  modern_bert = ENTRAIN_SOURCE_DIR "/tests/train/golden/modern_bert_texts";

/// texts.txt with its first column as classes, or its second.
text::Corpus texts_of(const std::string& folder, bool many) {
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
void against_transformers(const std::string& folder, const std::string& kind, double tolerance) {
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
  for (const Span& s : trainer.layout().spans)
    if (std::is_same_v<T, float> || (s.name.starts_with("head.") && !pretrained(theirs(s.name)))) {
      const auto from = numbers<T>(weights, theirs(s.name));
      REQUIRE(from.size() == s.size());
      std::copy(from.begin(), from.end(), trainer.values() + s.offset);
    }

  {  // loss, gradients and probabilities
    using Real = typename Model::template Impl<P, D>;
    const auto cost = train::cost_of<Model, P>({rows, rows, labels.count()});
    typename D::template Buffer<std::byte> memory(cost.arena);
    Arena arena{memory.data(), memory.size()};
    const Counters counters;
    const Step<D> at{dev, packed.shape, packed.geometry, true, Write::assign, arena, &counters};
    std::vector<T> gradients(trainer.layout().size, std::numeric_limits<T>::quiet_NaN());
    std::vector<std::uint32_t> stamps(trainer.layout().stamps);
    const auto w = bind<Model, const T>(trainer.values(), labels.count());
    auto saved = Real::allocate_saved(arena, packed.shape, packed.words);
    T loss = 0;
    Real::forward(at, w, packed.words, packed.targets, &loss, saved);
    Real::backward(at, w, saved, packed.words, packed.targets,
                   bind<Model, T>(gradients.data(), labels.count(), stamps.data()));
    CHECK(off(&loss, numbers<double>(expected, kind + ".loss")) < tolerance);
    test::gradients_equal(trainer.layout(), gradients, stamps, expected, kind + ".gradient.", theirs, tolerance);
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
}  // namespace

TEST_CASE("classifier: logits, loss, gradients and a hundred steps of AdamW equal those of transformers") {
  against_transformers<Bert<One>, precision::Fp64>(bert, "one", 1e-10);
  against_transformers<Bert<Many>, precision::Fp64>(bert, "many", 1e-10);
  against_transformers<DistilBert<One>, precision::Fp64>(distilbert, "one", 1e-10);
  against_transformers<DistilBert<Many>, precision::Fp64>(distilbert, "many", 1e-10);
  against_transformers<Electra<One>, precision::Fp64>(electra, "one", 1e-10);
  against_transformers<Electra<Many>, precision::Fp64>(electra, "many", 1e-10);
  against_transformers<Roberta<One>, precision::Fp64>(roberta, "one", 1e-10);
  against_transformers<Roberta<Many>, precision::Fp64>(roberta, "many", 1e-10);
  against_transformers<XlmRoberta<One>, precision::Fp64>(xlm_roberta, "one", 1e-10);
  against_transformers<XlmRoberta<Many>, precision::Fp64>(xlm_roberta, "many", 1e-10);
  against_transformers<ModernBert<One>, precision::Fp64>(modern_bert, "one", 1e-10);
  against_transformers<ModernBert<Many>, precision::Fp64>(modern_bert, "many", 1e-10);
}
TEST_CASE("classifier: and in fp32") {
  against_transformers<Bert<One>, precision::Fp32>(bert, "one", 1e-5);
  against_transformers<Bert<Many>, precision::Fp32>(bert, "many", 1e-5);
  against_transformers<DistilBert<One>, precision::Fp32>(distilbert, "one", 1e-5);
}

TEST_CASE("classifier: a saved folder is one of transformers', and gives the same probabilities again") {
  using Trainer = train::Trainer<Bert<One>, precision::Fp32, device::Cpu<>, optim::AdamW>;
  using Features = Trainer::Features;
  const text::Corpus corpus = texts_of(bert, false);
  const auto start = train::read_start<Features>(bert);
  const auto e = batch::encode<Features>(corpus, start.features);
  const device::Cpu<> dev(1);
  Trainer trainer(dev, task::Classes(corpus.classes.names), 80, 0);
  train::start_from_pretrained(trainer, bert);
  const test::Scratch folder;
  checkpoint::Config about;
  about.splitter = text::Whitespace::name;
  about.sentence_splitter = text::WholeText::name;
  train::save(trainer, folder / "m", about, start.source_files);
  const std::string config = test::get(folder / "m/config.json");
  CHECK(test::has(config, "BertForSequenceClassification"));
  const auto saved = file(folder / "m/model.safetensors");
  for (const char* name :
       {"bert.pooler.dense.weight", "bert.pooler.dense.bias", "classifier.weight", "classifier.bias"})
    CHECK_MESSAGE(saved.find(name) != nullptr, name);
  CHECK(saved.find("bert.pooler.dense.weight")->shape == std::vector<std::int64_t>{16, 16});

  batch::Packer<Features> packer(80);
  std::vector<float> before, after;
  train::predict_all(trainer, e, packer, [&](std::size_t, std::span<const float> p) {
    CHECK(p.size() == 5);
    before.insert(before.end(), p.begin(), p.end());
  });
  const predict::PredictorOf<Trainer> predictor(folder / "m");
  CHECK(predictor.labels().names() == corpus.classes.names);
  predictor.predict(corpus,
                    [&](std::size_t, std::span<const float> p) { after.insert(after.end(), p.begin(), p.end()); });
  REQUIRE(before.size() == 30);
  REQUIRE(after.size() == 30);
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(after[i] == doctest::Approx(before[i]).epsilon(1e-5));
  std::vector<float> of_text;
  predictor.predict("c hb h dd hgc", [&](const predict::Sentence& text, std::span<const float> p) {
    CHECK(text.words.size() == 5);
    of_text.assign(p.begin(), p.end());
  });
  for (std::size_t k = 0; k < 5; ++k) CHECK(of_text[k] == doctest::Approx(after[k]).epsilon(1e-5));
}

namespace {
/// The architectures of config.json and the names of the head's tensors in a folder that a model was saved in.
template <class Model> std::vector<std::string> saved_by(const std::string& from) {
  using Trainer = train::Trainer<Model, precision::Fp32, device::Cpu<>, optim::AdamW>;
  const device::Cpu<> dev(1);
  Trainer trainer(dev, task::Classes({"bad", "good"}), 8, 0);
  const test::Scratch folder;
  train::save(trainer, folder / "m", checkpoint::Config(), train::source_files_of<typename Trainer::Features>(from));
  std::vector<std::string> found;
  for (const checkpoint::NamedText& one :
       checkpoint::parse_config(test::get(folder / "m/config.json"), "config.json").others)
    if (one.name == "architectures") found.push_back(one.text);
  if (Model::family == &family::of<family::ModernBert>) {  // another pooling than transformers': as it was
    const bool mean = !std::is_same_v<Model, model::FineTunedClassifier<test::ModernBertEncoder, One>>;
    CHECK(test::has(test::get(folder / "m/config.json"),
                    mean ? "\"classifier_pooling\": \"mean\"" : "\"classifier_pooling\": \"cls\""));
  }
  const auto saved = file(folder / "m/model.safetensors");
  for (const auto& tensor : saved.tensors())
    if (tensor.name.find("classifier") != tensor.name.npos || tensor.name.find("pooler") != tensor.name.npos)
      found.emplace_back(tensor.name);
  std::sort(found.begin(), found.end());
  return found;
}
template <class Encoder, class Pooling> using Pooled =
    model::FineTunedClassifier<Encoder, One, Pooling, layer::Dropout<16>>;
using Names = std::vector<std::string>;
}  // namespace

TEST_CASE("classifier: a folder names the class of transformers that has its tensors, or none") {
  CHECK(saved_by<Roberta<One>>(roberta) == Names{"[\"RobertaForSequenceClassification\"]", "classifier.dense.bias",
                                                 "classifier.dense.weight", "classifier.out_proj.bias",
                                                 "classifier.out_proj.weight"});
  CHECK(saved_by<XlmRoberta<Many>>(xlm_roberta) == Names{"[\"XLMRobertaForSequenceClassification\"]",
                                                         "classifier.dense.bias", "classifier.dense.weight",
                                                         "classifier.out_proj.bias", "classifier.out_proj.weight"});
  CHECK(saved_by<Electra<Many>>(electra) == Names{"[\"ElectraForSequenceClassification\"]", "classifier.dense.bias",
                                                  "classifier.dense.weight", "classifier.out_proj.bias",
                                                  "classifier.out_proj.weight"});
  CHECK(saved_by<DistilBert<One>>(distilbert) == Names{"[\"DistilBertForSequenceClassification\"]", "classifier.bias",
                                                       "classifier.weight", "pre_classifier.bias",
                                                       "pre_classifier.weight"});
  // ModernBERT's class pools in two ways, by a key.
  const Names modern{"[\"ModernBertForSequenceClassification\"]", "classifier.bias", "classifier.weight"};
  CHECK(saved_by<ModernBert<One>>(modern_bert) == modern);
  using Modern = test::ModernBertEncoder;
  CHECK(saved_by<model::FineTunedClassifier<Modern, One>>(modern_bert) == modern);
  CHECK(saved_by<model::FineTunedClassifier<Modern, One, pool::Max>>(modern_bert) ==
        Names{"classifier.bias", "classifier.weight"});
  // transformers has no class without a pooler, or with another pooling.
  CHECK(
      saved_by<model::FineTunedClassifier<model::Encoder<test::BertTables, test::BertStack>, One, pool::Mean>>(bert) ==
      Names{"bert.pooler.dense.bias", "bert.pooler.dense.weight", "classifier.bias", "classifier.weight"});
  using Encoder = model::Encoder<test::BertTables, test::BertStack>;
  CHECK(saved_by<Pooled<Encoder, pool::Mean>>(bert) == Names{"classifier.bias", "classifier.weight"});
  CHECK(saved_by<Pooled<Encoder, pool::First>>(bert) == Names{"classifier.bias", "classifier.weight"});
}

TEST_CASE("classifier: the weight of a single class decays as that of several, and the bias does not") {
  for (const int classes : {1, 2})
    for (const Span& s : layout_of<Bert<Many>>(classes).spans) {
      if (s.name == "head.classifier.weight") CHECK(s.decays());
      if (s.name == "head.classifier.bias") CHECK_FALSE(s.decays());
    }
}

TEST_CASE("classifier: a text of more pieces than the encoder has positions is read in windows, all of it") {
  using Features = Bert<One>::Features;
  text::Corpus corpus = texts_of(bert, false);
  for (int i = 0; i < 60; ++i) corpus.push("abc", 9);  // 180 pieces, of 38 in a window
  corpus.end_sentence(std::vector<std::int32_t>{1});
  corpus.push("a", 10);
  corpus.end_sentence(std::vector<std::int32_t>{0});
  const auto e = batch::encode<Features>(corpus, train::open_features<Features>(bert));
  batch::Packer<Features> packer(400);
  const auto packed = packer.pack(e, std::vector<std::uint32_t>{7, 6, 0}, 5);
  REQUIRE(packed.words.windows > 5);
  CHECK(packed.words.sentences == 3);
  const std::int32_t* const texts = packed.words.texts;
  CHECK(texts[0] == 0);
  CHECK(texts[1] == 3);  // [CLS] a [SEP]
  CHECK(texts[2] - texts[1] > 180);
  CHECK(texts[3] == packed.words.count);
  CHECK(packed.words.ids[texts[1]] == 2);  // [CLS]
  CHECK(packed.words.ids[texts[2]] == 2);
  CHECK(texts[2] - texts[1] == e.rows[6]);
}

}  // namespace classifier_parity_test
