// bench: slices of fine-tuning, so that it can take turns with the peers of bench/peers/hf_finetune.py and
// hf_classify.py.
//
//   finetune_slices FOLDER TRAIN [STEPS [THREADS [BATCHES]]]     lines 'train', 'quit'; one JSON line back for each
//
// finetune_slices has the composition of examples/04_finetune_ner, and finetune_slices_bf16 its products in bf16;
// finetune_slices_bert_base and finetune_slices_bert_base_bf16 fine-tune BERT-base, finetune_slices_xlm_roberta
// XLM-RoBERTa-base, finetune_slices_modernbert and finetune_slices_modernbert_bf16 ModernBERT-base, and classify_slices
// has a classifier of texts. A step is 32 sentences. BATCHES selects them: "file", 32 after 32 in the order of the
// file; "equal", only groups of 32 with the same number of pieces, which no system has to pad.
//
// Each line also has the operations per second of the encoder's products in forward and backward, and those that the
// registers could have done at the same time. Dense products and those of attention count, but not what backward
// computes again; the time includes embedding, head and loss.
#pragma once
#include <entrain/batch/encode/whole_texts.hpp>
#include <entrain/cpu.hpp>
#include <entrain/train/data/features.hpp>
#include <entrain/train/folder/pretrained.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench/slices/fma_peak.hpp"
#include "bench/slices/slices.hpp"

namespace slices {
using namespace entrain;

using Batch = std::vector<std::uint32_t>;
inline constexpr std::size_t sentences = 32;

template <class Features> std::vector<Batch> batches_of(const batch::Encoded<Features>& corpus, bool equal) {
  std::vector<Batch> batches;
  Batch order;
  for (std::uint32_t s = 0; s < corpus.sentences(); ++s) order.push_back(s);
  if (equal)
    std::sort(order.begin(), order.end(),
              [&](auto a, auto b) { return std::pair(corpus.rows[a], a) < std::pair(corpus.rows[b], b); });
  for (std::size_t i = 0; i + sentences <= order.size();) {
    if (equal && corpus.rows[order[i]] != corpus.rows[order[i + sentences - 1]]) {
      ++i;
      continue;
    }
    batches.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(i),
                         order.begin() + static_cast<std::ptrdiff_t>(i + sentences));
    i += sentences;
  }
  return batches;
}

/// What a layer of the encoder multiplies with.
struct EncoderSize {
  double layers, width, intermediate;
};
inline constexpr EncoderSize mini_lm{6, 384, 1536}, bert_base{12, 768, 3072},
    modern_bert_base{22, 768, 1728};  // with gates: three products of 1,152 are two of 1,728

/// Operations of the encoder's products for one batch, forward and backward. A tagger's last layer is dense only at the
/// first pieces of words.
template <class Features, class Packed> double operations_of(const Packed& batch, const EncoderSize& size) {
  double pairs = 0;  // of words that attend to each other
  for (int s = 0; s < batch.words.windows; ++s) {
    const double length = batch.words.cu_seqlens[s + 1] - batch.words.cu_seqlens[s];
    pairs += length * length;
  }
  const auto [layers, w, intermediate] = size;
  const double dense = w * w + 2 * w * intermediate;
  const double attention = layers * (3 * w * w * batch.words.count + 2 * w * pairs);
  const double last = batch::whole_texts<Features> ? batch.words.count : batch.shape.rows;
  return 2 * 3 * (attention + dense * ((layers - 1) * batch.words.count + last));
}

/// The command line.
struct Asked {
  std::string folder, train;
  int steps = 10, threads = 1;
  bool equal = false;
};

/// encoded(features) gives the corpus with its targets.
template <class Trainer, class Encode> void finetune(const Asked& asked, const typename Trainer::Labels& labels,
                                                     Encode&& encoded, const EncoderSize& size = mini_lm) {
  using Features = typename Trainer::Features;
  const typename Trainer::Device cpu(asked.threads);
  const batch::Encoded<Features> corpus = encoded(train::open_features<Features>(asked.folder));
  const auto batches = batches_of(corpus, asked.equal);
  int rows = 0;
  for (const Batch& b : batches) {
    int of_this = 0;
    for (const std::uint32_t s : b) of_this += corpus.rows[s];
    rows = std::max(rows, of_this);
  }
  Trainer trainer(cpu, labels, rows, 0);
  train::start_from_pretrained(trainer, asked.folder);
  batch::Packer<Features> packer(rows);

  std::size_t next = 0;
  double operations = 0, seconds = 0;
  const auto train_slice = [&] {
    std::uint64_t pieces = 0;
    for (int i = 0; i < asked.steps; ++i, next = (next + 7) % batches.size()) {  // mixed lengths, as for each system
      const auto batch = packer.pack(corpus, batches[next], labels.count());
      const auto begin = std::chrono::steady_clock::now();
      trainer.accumulate(batch, 0.1f);
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      operations += operations_of<Features>(batch, size);
      trainer.update({}, 5e-5, 1.0);
      pieces += static_cast<std::uint64_t>(batch.words.count);
    }
    return pieces;
  };
  train_slice();
  const auto train_and_forget = [&](const std::string&) {
    operations = seconds = 0;
    return train_slice();
  };
  serve("pieces", trainer.parameters(), train_and_forget, [&] {
    char fields[80];
    std::snprintf(fields, sizeof fields, ", \"encoder_gflops\": %.1f, \"peak_gflops\": %.1f",
                  operations / seconds / 1e9, fma_peak(cpu) / 1e9);
    return std::string(fields);
  });
}

/// A program's main: calls run(asked) for its arguments.
template <class Run> int main_of(int argc, char** argv, Run&& run) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s FOLDER TRAIN [STEPS [THREADS [file|equal]]]\n", argv[0]);
    return 2;
  }
  Asked asked{argv[1], argv[2]};
  if (argc > 3) asked.steps = std::stoi(argv[3]);
  if (argc > 4) asked.threads = std::stoi(argv[4]);
  asked.equal = argc > 5 && std::string(argv[5]) == "equal";
  run(asked);
  return 0;
}

}  // namespace slices
