// bench: a fine-tuning that bench/peers/hf_parity.py repeats with transformers: the same first weights, the same order,
// no dropout.
//
//   finetune_parity FOLDER TRAIN TEST STEPS OUT [fp64]
//
// Writes OUT/start and OUT/end (model folders), OUT/order (a sentence of TRAIN a line; a step is 32), OUT/losses (one a
// step), OUT/tags.conll (TEST with the tags that the trained model gives), and of the first step, before it changes
// anything: OUT/logits (numbers as they lie in memory, a row a word) and OUT/gradients/NAME (the summed loss's, a file
// a tensor, named as transformers does).
#include <entrain/cpu.hpp>
#include <entrain/text/conll.hpp>
#include <entrain/text/conll_write.hpp>
#include <entrain/train/data.hpp>
#include <entrain/train/evaluate.hpp>
#include <entrain/train/features.hpp>
#include <entrain/train/pretrained.hpp>
#include <entrain/train/save.hpp>
#include <entrain/train/targets.hpp>
#include <entrain/train/tensor_names.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "examples/finetune_ner/tagger.hpp"

using namespace entrain;

namespace {

constexpr std::size_t sentences = 32;

template <class T> void write_numbers(const std::string& path, const T* numbers, std::size_t count) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(numbers), static_cast<std::streamsize>(count * sizeof(T)));
}

/// Logits and gradients of one batch, as a trainer would find them.
template <class Trainer, class Batch> void write_first_step(Trainer& trainer, const typename Trainer::Device& cpu,
                                                            const Batch& batch, int labels, const std::string& out) {
  using Model = typename Trainer::Model;
  using P = typename Trainer::Policy;
  using T = typename P::Master;
  using Real = typename Model::template On<P, typename Trainer::Device>;
  const auto cost = train::cost_of<Model, P>({batch.words.count, batch.words.count, labels});
  typename Trainer::Device::template Buffer<std::byte> memory(cost.arena);
  Arena arena{memory.data(), memory.size()};
  Counters counters;
  const Step<typename Trainer::Device> at{cpu, batch.shape, batch.geometry, true, Write::assign, arena, &counters};
  std::vector<T> gradients(trainer.layout().size);
  std::vector<std::uint32_t> stamps(trainer.layout().stamps);
  T loss = 0;
  const auto weights = bind<Model, const T>(trainer.values(), labels);
  auto saved = Real::keep(arena, batch.shape, batch.words);
  Real::forward(at, weights, batch.words, batch.targets, &loss, saved);
  Real::backward(at, weights, saved, batch.words, batch.targets,
                 bind<Model, T>(gradients.data(), labels, stamps.data()));
  std::vector<T> logits,
      padded(static_cast<std::size_t>(batch.shape.rows) * static_cast<std::size_t>(Wide<T>::padded(labels)));
  const Wide<T> scores(padded.data(), batch.shape.rows, labels);
  kernel::gemm_bias(cpu, saved.head.head.x, weights.head.weight, weights.head.bias, scores);  // as the head did
  for (int n = 0; n < batch.shape.rows; ++n)
    for (int k = 0; k < labels; ++k) logits.push_back(scores(n, k));
  write_numbers(out + "/logits", logits.data(), logits.size());
  std::filesystem::create_directories(out + "/gradients");
  for (const Span& s : trainer.layout().spans) {
    T* const g = gradients.data() + s.offset;
    if (s.sparse)  // rows that the batch does not name are not written
      for (int r = 0; r < s.rows; ++r)
        if (stamps[s.stamp_offset + static_cast<std::size_t>(r)] == 0)
          std::fill_n(g + static_cast<std::size_t>(r) * static_cast<std::size_t>(s.cols), s.cols, T(0));
    write_numbers(out + "/gradients/" + train::stored_name(s.name, Model::model_type), g, s.size());
  }
}

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
    shuffled.plan(corpus.sentences(), 1 << 30, std::vector<std::int32_t>(corpus.sentences(), 1));
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
    if (step == 0) write_first_step(trainer, cpu, batch, labels.count(), out);
    trainer.accumulate(batch, 0);
    trainer.update({}, 5e-5 * (steps - step) / steps, 1.0);
    const double loss = trainer.result().mean_loss();
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
