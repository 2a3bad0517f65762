// bench: whole steps of fine-tuning on a GPU, in bf16, for one model.
//
//   finetune prepare DIR              writes DIR/MODEL, a folder that transformers loads, and DIR/sentences.bin
//   finetune slices BATCH STEPS [--measured]
//                                     lines 'train', 'quit'; a line of JSON for each, so that it takes turns with
//                                     peers. Products use cuBLASLt's first guess, or the fastest of several
//   finetune alone BATCH STEPS [--measured]
//                                     five such slices without peers, and how long the GPU is idle
//   finetune losses STEPS             the mean loss of each step of 32 sentences without dropout, a line each
//
// BATCH: sentences:32, or tokens:8192, a budget that whole sentences fill. Weights and sentences are made from a seed,
// the same in every call and for every peer: first_weights.hpp, sentences.hpp. Dropout is 0.1, AdamW has the values of
// transformers' recipe, and the timed loop packs the batches. Pieces are counted, including [CLS] and [SEP]; nothing is
// padded.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/gpu/first_weights.hpp"
#include "bench/gpu/models.cuh"
#include "bench/gpu/sentences.hpp"
#include "bench/gpu/training.cuh"
#include "bench/slices/slices.hpp"
#include "entrain/optim/lazy_row_updates.hpp"

namespace {

using namespace bench;
using entrain::optim::StepResult, entrain::optim::Wait;
using Encoder = bench::ENTRAIN_BENCH_MODEL;
using Model = Tagger<Encoder>;
using Trainer = entrain::train::Trainer<Model, entrain::precision::Bf16Mixed, Gpu,
                                        entrain::optim::LazyUpdate<entrain::optim::AdamW>>;
using Features = Trainer::Features;
using Clock = std::chrono::steady_clock;

constexpr double learning_rate = 5e-5;
constexpr std::uint64_t seed = 1;

Sentences sentences() {
  entrain::checkpoint::BertConfig extents;
  Model::extents(extents);
  return {tiny ? std::size_t(96) : std::size_t(1) << 15, static_cast<int>(extents.vocab_size), Features::positions, 2};
}

class Finetuning : public Training<Trainer> {
 public:
  explicit Finetuning(const std::string& batch) : Finetuning(sentences(), batch) {}

  void prepare(const std::string& folder) {
    write_folder(trainer(), folder + "/" + std::string(name_of<Encoder>));
    sentences().write(folder + "/sentences.bin");
  }
  void losses(int steps) {
    const auto tell = [](const StepResult& r) { std::printf("%.9g\n", r.mean_loss()); };
    for (int i = 0; i < steps; ++i) {
      step(0);
      results(tell);
    }
    results(tell, Wait::for_all);
  }

 private:
  Finetuning(const Sentences& from, const std::string& batch)
      : Training<Trainer>({from.encoded<Features>(), from.order}, batch, learning_rate, seed) {
    set_first_weights(trainer(), seed);
  }
};

/// Prints the least, the median and the most of a few figures.
void print(const char* key, std::vector<double> x) {
  std::sort(x.begin(), x.end());
  std::printf(", \"%s\": %.4f, \"%s_least\": %.4f, \"%s_most\": %.4f", key, x[x.size() / 2], key, x.front(), key,
              x.back());
}

void alone(const std::string& batch, int steps, bool measured) {
  if (!tiny) steps = std::max(steps, 20);  // the idle share is a mean over this number
  Finetuning tuning(batch);
  if (measured) tuning.measure_products();
  tuning.warm_up(steps);
  std::vector<double> ms, rate, busy, idle;
  double pieces = 0;
  for (int i = 0; i < 5; ++i) {
    const auto begin = Clock::now();
    pieces = static_cast<double>(tuning.slice(steps));
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    ms.push_back(1e3 * seconds / steps);
    rate.push_back(pieces / seconds);
    const auto share = tuning.timed_slice(steps);
    busy.push_back(share.ms_of_step);
    idle.push_back(share.idle);
  }
  std::printf(
      "{\"system\": \"entrain\", \"model\": \"%s\", \"batch\": \"%s\", \"algorithms\": \"%s\", \"steps\": %d, "
      "\"graphs\": %zu, \"pieces_per_step\": %.1f",
      std::string(name_of<Encoder>).c_str(), batch.c_str(), measured ? "measured" : "first guess", steps,
      tuning.trainer().graphs(), pieces / steps);
  print("ms_per_step", ms);
  print("pieces_per_second", rate);
  print("ms_of_gpu", busy);
  print("idle_share", idle);
  std::printf(", \"planned_gib\": %.3f}\n", static_cast<double>(tuning.trainer().planned_bytes()) / (1 << 30));
}

void slices_of(const std::string& batch, int steps, bool measured) {
  Finetuning tuning(batch);
  if (measured) tuning.measure_products();
  tuning.warm_up(steps);
  slices::serve("pieces", tuning.trainer().parameters(), [&](const std::string&) { return tuning.slice(steps); });
}

int usage() {
  std::fprintf(
      stderr,
      "usage: finetune prepare DIR, finetune slices|alone sentences:N|tokens:N STEPS [--measured], finetune losses "
      "STEPS\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const std::string one = tiny ? "sentences:4" : "sentences:32";
  const bool measured = argc == 5 && std::string(argv[4]) == "--measured";
  try {
    if (what == "prepare" && argc == 3) {
      Finetuning(one).prepare(argv[2]);
    } else if (what == "slices" && (argc == 4 || measured)) {
      slices_of(argv[2], std::stoi(argv[3]), measured);
    } else if (what == "alone" && (argc == 4 || measured)) {
      alone(argv[2], std::stoi(argv[3]), measured);
    } else if (what == "losses" && argc == 3) {
      Finetuning(one).losses(std::stoi(argv[2]));
    } else {
      return usage();
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
    return 1;
  }
  return 0;
}
