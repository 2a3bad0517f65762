// tests > [predict]: the model of these tests, and that it is the same after it was saved.
#include "tests/predict/model.hpp"

#include <doctest/doctest.h>

#include "entrain/train/data/data.hpp"
#include "entrain/train/data/targets.hpp"
#include "entrain/train/folder/save.hpp"
#include "entrain/train/loop/evaluate.hpp"
#include "entrain/train/loop/fit.hpp"
#include "tests/scratch.hpp"

namespace test {
namespace {

namespace batch = entrain::batch;
namespace checkpoint = entrain::checkpoint;
namespace device = entrain::device;
namespace optim = entrain::optim;
namespace precision = entrain::precision;
namespace text = entrain::text;
namespace train = entrain::train;
namespace predict = entrain::predict;
using Trainer = train::Trainer<Model, precision::Fp32, device::Cpu<>, optim::AdamW>;

struct Trained {
  test::Scratch folder;
  std::vector<std::string> sentences;
  std::vector<std::vector<text::Tag>> tags;

  Trained() {
    const std::vector<std::string> names{"Ada", "Bo", "Chen", "Dara", "\xC3\x89va"},
        places{"Oslo", "Lima", "K\xC5\x8Dto", "Accra"};
    text::Corpus corpus;
    for (std::size_t k = 0; k < 40; ++k) {
      const std::string &who = names[k % 5], &whom = names[(k + k / 5 + 1) % 5], &where = places[k % 4];
      for (const auto& [word, tag] : {std::pair<std::string, const char*>{who, "B-PER"},
                                      {"met", "O"},
                                      {whom, "B-PER"},
                                      {"in", "O"},
                                      {"New", "B-LOC"},
                                      {where, "I-LOC"},
                                      {".", "O"}})
        corpus.push(word, tag, 1);
      corpus.end_sentence();
      sentences.push_back(who + " met " + whom + " in New " + where + " .");
    }
    const train::Tagged split = train::tagged(std::move(corpus), {});
    const device::Cpu<> dev(1);
    const Trainer::Labels labels(split.types.names());
    auto e = batch::encode<Words>(split.corpus);
    train::set_targets(e, split, labels, "conlleval");
    Trainer trainer(dev, labels, 70, 1);
    batch::Packer<Words> packer(70);
    train::Options options;
    options.epochs = 25;
    options.token_budget = 70;
    options.learning_rate = 0.02;
    options.dropout = options.word_dropout = 0;
    train::fit(
        trainer, e, options, [](const train::StepReport&) {}, [] { return -1.0; }, [](std::uint32_t, double, bool) {});
    checkpoint::Config about;
    about.splitter = "unicode-words-1";
    about.sentence_splitter = "unicode-sentences-1";
    train::save(trainer, folder / "m", about);
    train::predict_all(trainer, e, packer,
                       [&](std::size_t, std::span<const text::Tag> t) { tags.emplace_back(t.begin(), t.end()); });
  }
};

const Trained& trained() {
  static const Trained it;
  return it;
}

}  // namespace

const std::string& model_folder() {
  static const std::string path = trained().folder / "m";
  return path;
}
const std::vector<std::vector<text::Tag>>& trained_tags() { return trained().tags; }
const std::vector<std::string>& trained_sentences() { return trained().sentences; }
const Tagger& tagger() {
  static const Tagger it = predict::load<Model>(model_folder());
  return it;
}

}  // namespace test

namespace model_test {
using namespace test;

TEST_CASE("predict: what was saved and read back tags every word as what was trained") {
  for (std::size_t s = 0; s < trained_sentences().size(); ++s) {
    std::vector<entrain::text::Span> spans;
    entrain::text::decode<entrain::text::Bioes>(trained_tags()[s], [&](const auto& span) { spans.push_back(span); });
    const Entities found = tagger().entities(trained_sentences()[s]);
    REQUIRE(found.size() == spans.size());
    CHECK(found.size() == 3);  // it has learned its corpus
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i].type_id == spans[i].type);
  }
}

}  // namespace model_test
