// bench: a fine-tuning that bench/peers/hf_parity.py repeats with transformers: the same first weights, the same order,
// no dropout.
//
//   PROGRAM FOLDER TRAIN TEST STEPS SEED OUT
//
// Writes OUT/start and OUT/end (model folders), OUT/order (a sentence of TRAIN a line; a step is 32), OUT/losses (one a
// step) and OUT/tags.conll (TEST with the tags that the trained model gives), or for a classifier of texts OUT/classes
// (a class of TEST a line). SEED draws the head and the order.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/pack/budget.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/train/data/data.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/data/targets.hpp"
#include "entrain/train/folder/pretrained.hpp"
#include "entrain/train/folder/save.hpp"
#include "entrain/train/loop/evaluate.hpp"

namespace parity {

constexpr std::size_t sentences = 32;

struct Asked {
  std::string folder, train, test;
  int steps;
  std::uint64_t seed;
  std::string out;
};

/// Calls at_first(trainer, batch) with the first batch before the first step. encoded_test only gives the sizes;
/// at_end(trainer, packer) writes what the trained model gives for it.
template <class Trainer, class Encoded, class AtFirst, class AtEnd>
void finetune(const typename Trainer::Device& dev, const Asked& asked, const typename Trainer::Labels& labels,
              const Encoded& corpus, const Encoded& encoded_test, AtFirst&& at_first, AtEnd&& at_end) {
  using namespace entrain;
  using Features = typename Trainer::Features;
  std::filesystem::create_directories(asked.out);
  std::ofstream order_file(asked.out + "/order"), loss_file(asked.out + "/losses");
  const auto steps = static_cast<std::size_t>(asked.steps);
  std::vector<std::uint32_t> order;
  batch::Budget shuffled;
  for (std::uint32_t epoch = 0; order.size() < sentences * steps; ++epoch) {
    shuffled.shuffled(corpus.sentences(), asked.seed, epoch);
    shuffled.plan(corpus.sentences(), 1 << 30, std::vector<std::int32_t>(corpus.sentences(), 1));
    order.insert(order.end(), shuffled[0].begin(), shuffled[0].end());
  }
  int rows = std::max(1024, encoded_test.longest());
  for (std::size_t step = 0; step < steps; ++step) {
    int of_step = 0;
    for (std::size_t i = 0; i < sentences; ++i) of_step += corpus.rows[order[step * sentences + i]];
    rows = std::max(rows, of_step);
  }

  Trainer trainer(dev, labels, rows, asked.seed);
  train::start_from_pretrained(trainer, asked.folder);
  checkpoint::Config about;
  about.splitter = "whitespace";
  about.sentence_splitter = "whole-text";
  const auto source_files = train::source_files_of<Features>(asked.folder);
  train::save(trainer, asked.out + "/start", about, source_files);

  batch::Packer<Features> packer(rows);
  for (std::size_t step = 0; step < steps; ++step) {
    const auto of_step = std::span(order).subspan(step * sentences, sentences);
    for (const std::uint32_t s : of_step) order_file << s << '\n';
    const auto batch = packer.pack(corpus, of_step, labels.count());
    if (step == 0) at_first(trainer, batch);
    trainer.accumulate(batch, 0);
    trainer.update({}, 5e-5 * static_cast<double>(steps - step) / static_cast<double>(steps), 1.0);
    char line[64];
    std::snprintf(line, sizeof line, "%.17g\n", trainer.result().mean_loss());
    loss_file << line << std::flush;
  }
  train::save(trainer, asked.out + "/end", about, source_files);
  at_end(trainer, packer);
}

/// The same for a tagger, whose files are in CoNLL's columns.
template <class Trainer, class AtFirst>
void finetune(const typename Trainer::Device& dev, const Asked& asked, AtFirst&& at_first) {
  using namespace entrain;
  using Features = typename Trainer::Features;
  const train::Tagged file = train::tagged(text::read_conll(asked.train), {});
  const text::Corpus test = text::read_conll(asked.test);
  const typename Trainer::Labels labels(train::entity_types(file));
  const auto features = train::open_features<Features>(asked.folder);
  auto corpus = batch::encode<Features>(file.corpus, features);
  train::set_targets(corpus, file, labels, "conlleval");
  const auto encoded_test = batch::encode<Features>(test, features);
  finetune<Trainer>(dev, asked, labels, corpus, encoded_test, at_first, [&](Trainer& trainer, auto& packer) {
    std::ofstream tags(asked.out + "/tags.conll");
    train::predict_all(trainer, encoded_test, packer, [&](std::size_t s, std::span<const text::Tag> of_sentence) {
      for (std::size_t i = 0; i < of_sentence.size(); ++i)
        tags << test.token(test.sentence[s] + i) << '\t' << labels.name(of_sentence[i]) << '\n';
      tags << '\n';
    });
  });
}

/// A program's main: calls run(asked) for its arguments. The arguments that `extra` names may follow them.
template <class Run> int main_of(int argc, char** argv, const char* extra, Run&& run) {
  if (argc < 7) {
    std::fprintf(stderr, "usage: %s FOLDER TRAIN TEST STEPS SEED OUT%s\n", argv[0], extra);
    return 2;
  }
  try {
    run(Asked{argv[1], argv[2], argv[3], std::stoi(argv[4]), std::stoull(argv[5]), argv[6]});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
    return 1;
  }
  return 0;
}

}  // namespace parity
