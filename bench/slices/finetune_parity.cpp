// bench: a fine-tuning that bench/peers/hf_parity.py repeats with transformers: the same first weights, the same order,
// no dropout.
//
//   finetune_parity FOLDER TRAIN TEST STEPS OUT [fp64]
//
// Writes OUT/start and OUT/end (model folders), OUT/order (a sentence of TRAIN a line; a step is 32), OUT/losses (one a
// step) and OUT/tags.conll (TEST with the tags that the trained model gives).
#include <entrain/cpu.hpp>
#include <entrain/text/conll.hpp>
#include <entrain/text/conll_write.hpp>
#include <entrain/train/data.hpp>
#include <entrain/train/evaluate.hpp>
#include <entrain/train/features.hpp>
#include <entrain/train/pretrained.hpp>
#include <entrain/train/save.hpp>
#include <entrain/train/targets.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "examples/finetune_ner/tagger.hpp"

using namespace entrain;

namespace {

constexpr std::size_t sentences = 32;

template <class P>
int run(const std::string& folder, const char* train_path, const char* test_path, int steps, const std::string& out) {
  using Trainer = train::Trainer<finetune::MiniLm, P, finetune::Trainer::Device, optim::Deferred<optim::AdamW>>;
  using Features = typename Trainer::Features;
  const typename Trainer::Device cpu(2);
  const train::Tagged file = train::tagged(text::read_conll(train_path), {});
  const text::Corpus test = text::read_conll(test_path);
  const typename Trainer::Labels labels(train::entity_types(file));
  const auto features = train::open_features<Features>(folder);
  auto corpus = batch::encode<Features>(file.corpus, features);
  train::set_targets(corpus, file, labels, "conlleval");
  const auto encoded_test = batch::encode<Features>(test, features);

  std::filesystem::create_directories(out);
  std::ofstream order_file(out + "/order"), loss_file(out + "/losses");
  std::vector<std::uint32_t> order;
  batch::Budget shuffled;
  for (std::uint32_t epoch = 0; order.size() < sentences * static_cast<std::size_t>(steps); ++epoch) {
    shuffled.shuffled(corpus.sentences(), 0, epoch);
    shuffled.plan(corpus.sentences(), 1 << 30, [](std::uint32_t) { return 1; });
    order.insert(order.end(), shuffled[0].begin(), shuffled[0].end());
  }
  int rows = 1024;
  for (int step = 0; step < steps; ++step) {
    int of_step = 0;
    for (std::size_t i = 0; i < sentences; ++i)
      of_step += corpus.rows[order[static_cast<std::size_t>(step) * sentences + i]];
    rows = std::max(rows, of_step);
  }
  rows = std::max(rows, encoded_test.longest());

  Trainer trainer(cpu, labels, rows, 0);
  train::start_from_pretrained(trainer, folder);
  checkpoint::Config about;
  about.splitter = "whitespace";
  about.sentence_splitter = "whole-text";
  const auto heritage = train::heritage_of<Features>(folder);
  train::save(trainer, out + "/start", about, heritage);

  batch::Packer<Features> packer(rows);
  for (int step = 0; step < steps; ++step) {
    const auto of_step = std::span(order).subspan(static_cast<std::size_t>(step) * sentences, sentences);
    for (const std::uint32_t s : of_step) order_file << s << '\n';
    const auto batch = packer.pack(corpus, of_step, labels.count());
    const double loss = static_cast<double>(trainer.accumulate(batch, 0)) / batch.real_targets;
    trainer.update({}, 5e-5 * (steps - step) / steps, 1.0);
    char line[64];
    std::snprintf(line, sizeof line, "%.17g\n", loss);
    loss_file << line;
  }
  train::save(trainer, out + "/end", about, heritage);
  std::ofstream tags(out + "/tags.conll");
  train::predict_all(trainer, encoded_test, packer, [&](std::size_t s, std::span<const text::Tag> of_sentence) {
    for (std::size_t i = 0; i < of_sentence.size(); ++i)
      tags << test.token(test.sentence[s] + i) << '\t' << labels.name(of_sentence[i]) << '\n';
    tags << '\n';
  });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: finetune_parity FOLDER TRAIN TEST STEPS OUT [fp64]\n");
    return 2;
  }
  const bool wide = argc > 6 && std::string(argv[6]) == "fp64";
  return (wide ? run<precision::Fp64> : run<precision::Fp32>)(argv[1], argv[2], argv[3], std::stoi(argv[4]), argv[5]);
}
