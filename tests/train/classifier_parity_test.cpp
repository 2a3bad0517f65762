// tests > [train]
//
// Classifiers on pretrained encoders compared with transformers: each family with one class for each text in fp64;
// classifier_parity_all_test.cpp has the others. And the folders that they are saved in.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "entrain/predict/predictor.hpp"
#include "entrain/text/corpus/in_words.hpp"
#include "entrain/train/folder/save.hpp"
#include "tests/scratch.hpp"
#include "tests/train/classifier_parity.hpp"

namespace classifier_parity_test {
using namespace entrain;
using namespace test::parity;
using test::file;

TEST_CASE("classifier: logits, loss, gradients and a hundred steps of AdamW equal those of transformers") {
  classifier_against_transformers<Bert<One>, precision::Fp64>(bert, "one", 1e-10);
  classifier_against_transformers<DistilBert<One>, precision::Fp64>(distilbert, "one", 1e-10);
  classifier_against_transformers<Electra<One>, precision::Fp64>(electra, "one", 1e-10);
  classifier_against_transformers<Roberta<One>, precision::Fp64>(roberta, "one", 1e-10);
  classifier_against_transformers<XlmRoberta<One>, precision::Fp64>(xlm_roberta, "one", 1e-10);
  classifier_against_transformers<ModernBert<One>, precision::Fp64>(modern_bert, "one", 1e-10);
  classifier_against_transformers<Bert<Many>, precision::Fp64>(bert, "many", 1e-10);
}
TEST_CASE("classifier: and in fp32") { classifier_against_transformers<Bert<One>, precision::Fp32>(bert, "one", 1e-5); }

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
