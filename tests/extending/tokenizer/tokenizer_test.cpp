// tests > [extending]
//
// The tokenizer of bytes.hpp: a folder with its file is read, a model over its pieces is trained, and the model's
// folder has the file.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/cpu.hpp"
#include "entrain/cpu_transformer.hpp"
#include "entrain/predict/decoder.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/folder/load.hpp"
#include "entrain/train/folder/save.hpp"
#include "tests/extending/tokenizer/bytes.hpp"
#include "tests/scratch.hpp"

namespace tokenizer_test {
using namespace entrain;

using Encoder = model::Encoder<
    embed::Bert<embed::EmbeddingConfig{.vocabulary = 256, .positions = 32, .types = 1, .width = 16, .eps = 1e-5},
                bytes::Family>,
    layer::Stack<
        1, encode::PostNormBlock<encode::TransformerConfig{.width = 16, .heads = 2, .intermediate = 24, .eps = 1e-5}>>>;
using Trainer =
    train::Trainer<model::FineTuned<Encoder, head::Softmax, text::Bio>, precision::Fp32, device::Cpu<>, optim::AdamW>;
using Features = Trainer::Features;

TEST_CASE("a tokenizer of one's own: its file is read, copied and read again; no other tokenizer's file is") {
  const test::Scratch folder, out;
  test::put(folder / "config.json", R"({"model_type": "bytes", "type_vocab_size": 1})");
  test::put(folder / "bytes.txt", "<>");
  test::put(folder / "tokenizer.json", "not of this tokenizer");
  const auto start = train::read_start<Features>(folder.path());
  REQUIRE(start.source_files.files.size() == 1);
  CHECK(start.source_files.files[0].name == "bytes.txt");

  text::Corpus corpus;
  for (const char* word : {"ab", "\xc3\xa9"}) corpus.push(word, 0);
  corpus.end_sentence();
  auto e = batch::encode<Features>(corpus, start.features);
  e.target = {1, 0};
  const Trainer::Device dev(1);
  Trainer trainer(dev, Trainer::Labels({"PER"}), 16, 3);
  batch::Packer<Features> packer(16);
  const std::vector<std::uint32_t> order{0};
  const auto packed = packer.pack(e, order, trainer.labels().count());
  const std::vector<std::int32_t> expected{'<', 'a', 'b', 0xc3, 0xa9, '>'};
  REQUIRE(packed.words.count == 6);
  CHECK(std::equal(expected.begin(), expected.end(), packed.words.ids));
  std::vector<double> losses;
  for (int step = 0; step < 4; ++step) {
    trainer.accumulate(packed, 0);
    trainer.update({}, 1e-2, 0);
    losses.push_back(trainer.result().mean_loss());
  }
  CHECK(losses.back() < losses.front());

  checkpoint::Config about;
  about.splitter = "whitespace";
  about.sentence_splitter = "lines";
  train::save(trainer, out / "m", about, start.source_files);
  CHECK(test::get(out / "m/bytes.txt") == "<>");
  const predict::Net<Trainer::Model, precision::Fp32, device::Cpu<>> net(out / "m");
  CHECK(net.features.before()[0] == '<');
  CHECK(std::equal(net.values.data(), net.values.data() + trainer.layout().size, trainer.values()));
}

}  // namespace tokenizer_test
