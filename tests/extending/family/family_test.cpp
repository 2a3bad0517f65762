// tests > [extending]
//
// The family of toy.hpp through a composition that CMake wrote from its config.json: a folder of random weights is
// opened, trained and saved under the family's own names, with the numbers of a BERT whose positions begin at 0.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "entrain/checkpoint/safetensors.hpp"
#include "entrain/core/hash.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/train/data/data.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/data/targets.hpp"
#include "entrain/train/folder/load.hpp"
#include "entrain/train/folder/pretrained.hpp"
#include "entrain/train/folder/save.hpp"
#include "tests/scratch.hpp"
#include "toy_composition.hpp"  // made by CMake

namespace family_test {
using namespace entrain;

namespace {

using Toy = composition::Trainer;
/// The same net as a BERT: 16 positions, of which none is reserved.
using Bert = train::Trainer<
    model::FineTuned<model::Encoder<embed::Bert<embed::EmbeddingConfig{
                                        .vocabulary = 21, .positions = 16, .types = 1, .width = 16, .eps = 1e-5}>,
                                    Toy::Model::Encode>,
                     head::Softmax, text::Bio>,
    precision::Fp32, Toy::Device, optim::LazyUpdate<optim::AdamW>>;

const std::string given = ENTRAIN_SOURCE_DIR "/tests/extending/family/folder";

/// The tensors of the family's folders, by hand.
std::map<std::string, std::vector<std::int64_t>> tensors_of_toy() {
  std::map<std::string, std::vector<std::int64_t>> all{{"toy.emb.tokens.weight", {21, 16}},
                                                       {"toy.emb.places.weight", {18, 16}},
                                                       {"toy.emb.kinds.weight", {1, 16}},
                                                       {"toy.emb.norm.weight", {16}},
                                                       {"toy.emb.norm.bias", {16}}};
  for (const std::string block : {"toy.blocks.0.", "toy.blocks.1."}) {
    for (const char* square : {"q", "k", "v", "o"}) all[block + square + ".weight"] = {16, 16};
    all[block + "up.weight"] = {24, 16}, all[block + "up.bias"] = {24}, all[block + "down.weight"] = {16, 24};
    for (const char* one : {"q.bias", "k.bias", "v.bias", "o.bias", "down.bias", "norm1.weight", "norm1.bias",
                            "norm2.weight", "norm2.bias"})
      all[block + one] = {16};
  }
  return all;
}

void write_random_folder(const test::Scratch& to) {
  for (const char* name : {"config.json", "vocab.txt"})
    std::filesystem::copy_file(given + "/" + name, to / name, std::filesystem::copy_options::overwrite_existing);
  std::map<std::string, std::vector<float>> numbers;
  std::uint64_t seed = 1;
  std::vector<checkpoint::TensorView> views;
  const auto all = tensors_of_toy();
  for (const auto& [name, shape] : all) {
    auto& of = numbers[name];
    of.resize(
        static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>())));
    for (float& x : of) x = static_cast<float>(static_cast<double>(++seed * 2654435761u % 2001) / 1000 - 1) / 2;
    views.push_back({name, checkpoint::Dtype::f32, shape, std::as_bytes(std::span(of))});
  }
  checkpoint::write_safetensors(to / "model.safetensors", views);
}

train::Tagged sentences() {
  text::Corpus corpus;
  const std::vector<std::pair<const char*, const char*>> words{{"abc", "B-PER"}, {"d", "I-PER"},  {"efg", "O"},
                                                               {"ha", "O"},      {"bb", "B-LOC"}, {"c", "O"}};
  std::uint32_t line = 0;
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < 3 + 3 * s; ++i) {  // the last one is longer than a window
      const auto& [word, tag] = words[static_cast<std::size_t>(i + s) % words.size()];
      corpus.push(word, tag, ++line);
    }
    corpus.end_sentence();
  }
  return train::tagged(std::move(corpus), {});
}

/// The losses of some steps.
template <class Trainer> std::vector<double> train_some(Trainer& trainer, const std::string& folder) {
  const auto split = sentences();
  auto e =
      batch::encode<typename Trainer::Features>(split.corpus, train::open_features<typename Trainer::Features>(folder));
  train::set_targets(e, split, trainer.labels(), "conlleval");
  batch::Packer<typename Trainer::Features> packer(128);
  std::vector<double> losses;
  for (int step = 0; step < 4; ++step) {
    const std::vector<std::uint32_t> order{0, 1, 2, 3};
    const auto packed = packer.pack(e, order, trainer.labels().count());
    CHECK(packed.words.windows > 4);
    trainer.accumulate(packed, 0);
    trainer.update({}, 1e-2, 0);
    losses.push_back(trainer.result().mean_loss());
  }
  return losses;
}

}  // namespace

TEST_CASE("a family of one's own: opened, trained and saved under its names, to the bits of a BERT") {
  CHECK(Toy::Model::family == &family::of<toy::Family>);
  CHECK(train::describe<Toy::Model>().starts_with("Tagger<Toy<21, 18, 1, 16, 1e-05>, Stack<2, "));
  const test::Scratch folder, out;
  write_random_folder(folder);
  const Toy::Device dev(1);
  const Toy::Labels labels({"PER", "LOC"});
  Toy toy(dev, labels, 128, 3);
  Bert bert(dev, labels, 128, 3);
  CHECK(train::start_from_pretrained(toy, folder.path()).empty());

  // A BERT with the same numbers, without the two rows in front.
  const auto& a = toy.layout().spans;
  const auto& b = bert.layout().spans;
  REQUIRE(a.size() == b.size());
  constexpr std::size_t reserved = 2 * 16;
  const auto skipped = [&](std::size_t i) { return a[i].size() - b[i].size(); };
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(skipped(i) == (a[i].name == "embed.position_embeddings.weight" ? reserved : 0));
    std::copy_n(toy.values() + a[i].offset + skipped(i), b[i].size(), bert.values() + b[i].offset);
  }
  const auto losses = train_some(toy, folder.path());
  CHECK(losses.back() < losses.front());
  CHECK(losses == train_some(bert, folder.path()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(a[i].name);
    const auto* const from = toy.values() + a[i].offset + skipped(i);
    CHECK(std::equal(from, from + b[i].size(), bert.values() + b[i].offset));
  }

  checkpoint::Config about;
  about.splitter = "whitespace";
  about.sentence_splitter = "lines";
  train::save(toy, out / "m", about, train::read_start<Toy::Features>(folder.path()).source_files);
  auto expected = tensors_of_toy();
  expected["classifier.weight"] = {5, 16}, expected["classifier.bias"] = {5};
  const auto saved = checkpoint::read_safetensors(out / "m/model.safetensors");
  CHECK(saved.tensors().size() == expected.size());
  for (const auto& t : saved.tensors()) {
    CAPTURE(t.name);
    CHECK(expected[std::string(t.name)] == t.shape);
  }
  const std::string config = test::get(out / "m/config.json");
  for (const char* kept : {"\"model_type\": \"toy\"", "\"ToyForTokenClassification\"", "\"n_blocks\": 2",
                           "\"composition\": \"Tagger<Toy<21, 18, 1, 16, 1e-05>"})
    CHECK(test::has(config, kept));
  auto back = train::load<Toy>(dev, out / "m", 128, 9);
  CHECK(std::equal(toy.values(), toy.values() + toy.layout().size, back.values()));
}

TEST_CASE("a family of one's own: folders of others are refused by its keys") {
  const auto refused = [](const std::string& from, const std::string& to) {
    const test::Scratch folder;
    write_random_folder(folder);
    std::string config = test::get(folder / "config.json");
    const auto at = config.find(from);
    REQUIRE(at != config.npos);
    test::put(folder / "config.json", config.replace(at, from.size(), to));
    const Toy::Device dev(1);
    Toy toy(dev, Toy::Labels({"PER", "LOC"}), 128, 3);
    return test::sentence([&] { train::start_from_pretrained(toy, folder.path()); });
  };
  CHECK(test::has(refused("\"toy\"", "\"bert\""), "model_type bert, expected toy of this program"));
  CHECK(test::has(refused("\"toy\"", "\"gpt2\""),
                  "model_type \"gpt2\", expected \"bert\", \"distilbert\", \"electra\", \"modernbert\", \"roberta\", "
                  "\"xlm-roberta\" or \"toy\""));
  CHECK(test::has(refused("\"n_blocks\": 2", "\"n_blocks\": 3"), "n_blocks 3, expected 2 of this program"));
  CHECK(test::has(refused("\"n_blocks\": 2", "\"n_blocks\": 3"), ", .eps = 1e-05}, ::toy::Family>, layer::Stack<3, "));
  CHECK(test::has(refused("\"pad_token_id\": 1", "\"pad_token_id\": 0"),
                  "pad_token_id 0, expected 1; take a model whose"));
}

}  // namespace family_test
