// bench: whole steps of fine-tuning on a GPU, in bf16, for one model.
//
//   finetune prepare DIR              writes DIR/MODEL, a folder that transformers loads, and DIR/sentences.bin
//   finetune slices BATCH STEPS       lines 'train', 'quit'; a line of JSON for each, so that it takes turns with peers
//   finetune alone BATCH STEPS [--measured]
//                                     five such slices by themselves, and how long the GPU is idle. Products go by
//                                     cuBLASLt's first guess, or by the fastest of several
//   finetune losses STEPS             the mean loss of each step of 32 sentences without dropout, a line each
//
// BATCH: sentences:32, or tokens:8192, a budget that whole sentences fill. Weights and sentences are made from a seed,
// the same in every call and for every peer: first_weights.hpp, sentences.hpp. Dropout is 0.1, AdamW as
// transformers' recipe has it, and batches are packed in the timed loop. Pieces are counted, [CLS] and [SEP] among
// them; nothing is padded.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/gpu/first_weights.hpp"
#include "bench/gpu/models.cuh"
#include "bench/gpu/sentences.hpp"
#include "bench/gpu/stopwatch.cuh"
#include "bench/slices/slices.hpp"
#include "entrain/optim/deferred.hpp"

namespace {

using namespace bench;
using entrain::optim::StepResult, entrain::optim::Wait;
using Encoder = bench::ENTRAIN_BENCH_MODEL;
using Model = Tagger<Encoder>;
using Trainer =
    entrain::train::Trainer<Model, entrain::precision::Bf16Mixed, Gpu, entrain::optim::Deferred<entrain::optim::AdamW>>;
using Features = Trainer::Features;
using Clock = std::chrono::steady_clock;

constexpr double learning_rate = 5e-5, max_grad_norm = 1;
constexpr std::uint64_t seed = 1;

Sentences corpus() {
  entrain::checkpoint::BertConfig extents;
  Model::extents(extents);
  return {tiny ? std::size_t(96) : std::size_t(1) << 15, static_cast<int>(extents.vocab_size), Features::positions, 2};
}

/// Batches of sentences in the corpus's order, all but the last, which is smaller.
std::vector<std::vector<std::uint32_t>> batches_of(const Sentences& sentences, const std::string& how) {
  const bool count = how.starts_with("sentences:");
  if (!count && !how.starts_with("tokens:"))
    throw entrain::Error("entrain.bench.2", "BATCH", how, "sentences:32, or tokens:8192");
  const int budget = std::stoi(how.substr(how.find(':') + 1));
  std::vector<std::vector<std::uint32_t>> batches(1);
  int filled = 0;
  for (const std::uint32_t s : sentences.order) {
    const int n = count ? 1 : sentences.length[s];
    if (filled + n > budget) {
      batches.emplace_back();
      filled = 0;
    }
    batches.back().push_back(s);
    filled += n;
  }
  if (batches.size() > 1) batches.pop_back();
  return batches;
}

class Finetuning {
 public:
  explicit Finetuning(const std::string& batch)
      : sentences_(corpus()),
        corpus_(sentences_.encoded<Features>()),
        batches_(batches_of(sentences_, batch)),
        rows_(most_rows()),
        trainer_(dev_, Trainer::Labels({"PER", "ORG", "LOC", "MISC"}), rows_, seed),
        packer_(rows_) {
    set_first_weights(trainer_, seed);
  }

  void prepare(const std::string& folder) {
    write_folder(trainer_, folder + "/" + std::string(name_of<Encoder>));
    sentences_.write(folder + "/sentences.bin");
  }
  /// From now on products go by the fastest of several algorithms.
  void measure_products() { dev_.products().go_by(entrain::device::Algorithms()); }
  /// Steps until two passes over the batches brought no new graph: a shape is captured when it comes again.
  void warm_up(int steps) {
    slice(steps);
    std::size_t most = trainer_.graphs();
    for (int same = 0, passes = 0; !tiny && same < 2 && passes < 20; ++passes) {
      slice(static_cast<int>(batches_.size()));
      same = trainer_.graphs() > most ? 0 : same + 1;
      most = std::max(most, trainer_.graphs());
    }
  }
  /// Queues a step. The pieces of its batch.
  int step(float dropout) {
    const auto packed = packer_.pack(corpus_, batches_[next_], trainer_.labels().count());
    next_ = (next_ + 1) % batches_.size();
    trainer_.accumulate(packed, dropout);
    trainer_.update({}, learning_rate, max_grad_norm);
    return packed.words.count;
  }
  /// `steps` steps, to their end. The pieces in them.
  std::uint64_t slice(int steps) {
    std::uint64_t pieces = 0;
    for (int i = 0; i < steps; ++i) {
      pieces += static_cast<std::uint64_t>(step(0.1f));
      trainer_.results([](const StepResult&) {});
    }
    trainer_.results([](const StepResult&) {}, Wait::for_all);
    dev_.finish();
    return pieces;
  }
  void losses(int steps) {
    const auto tell = [](const StepResult& r) { std::printf("%.9g\n", r.mean_loss()); };
    for (int i = 0; i < steps; ++i) {
      step(0);
      trainer_.results(tell);
    }
    trainer_.results(tell, Wait::for_all);
  }
  /// The batch that comes next.
  std::size_t next() const { return next_; }
  /// Milliseconds that the GPU needs for a step whose work was all queued before it began: the mean of `steps` from the
  /// batch `first` on. ms: about what a step takes
  double ms_queued(Stopwatch& watch, std::size_t first, int steps, double ms) {
    // A copy is half a millisecond. The host must be through with the step before the copies are.
    const int ahead = tiny ? 1 : 8 + static_cast<int>(std::min(4 * ms, 100.0));
    double sum = 0;
    next_ = first;
    for (int i = 0; i < steps; ++i) {
      sum += watch.ms(
          1, [&] { step(0.1f); }, ahead);
      trainer_.results([](const StepResult&) {}, Wait::for_all);
    }
    return sum / steps;
  }

  const Gpu& dev() const { return dev_; }
  std::size_t graphs() const { return trainer_.graphs(); }
  std::size_t parameters() const { return trainer_.parameters(); }
  double planned_gib() const { return static_cast<double>(trainer_.planned_bytes()) / (1 << 30); }

 private:
  int most_rows() const {
    int most = 0;
    for (const auto& batch : batches_) {
      int rows = 0;
      for (const std::uint32_t s : batch) rows += sentences_.length[s];
      most = std::max(most, rows);
    }
    return most;
  }

  Gpu dev_;
  Sentences sentences_;
  entrain::batch::Encoded<Features> corpus_;
  std::vector<std::vector<std::uint32_t>> batches_;
  int rows_;
  Trainer trainer_;
  entrain::batch::Packer<Features> packer_;
  std::size_t next_ = 0;
};

/// The least, the median and the most of a few figures.
void print(const char* key, std::vector<double> x) {
  std::sort(x.begin(), x.end());
  std::printf(", \"%s\": %.4f, \"%s_least\": %.4f, \"%s_most\": %.4f", key, x[x.size() / 2], key, x.front(), key,
              x.back());
}

void alone(const std::string& batch, int steps, bool measured) {
  if (!tiny) steps = std::max(steps, 20);  // what is idle is a mean of so many
  Finetuning tuning(batch);
  if (measured) tuning.measure_products();
  Stopwatch watch(tuning.dev());
  tuning.warm_up(steps);
  std::vector<double> ms, rate, queued, idle;
  double pieces = 0;
  for (int i = 0; i < 5; ++i) {
    const std::size_t first = tuning.next();
    const auto begin = Clock::now();
    pieces = static_cast<double>(tuning.slice(steps));
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    ms.push_back(1e3 * seconds / steps);
    rate.push_back(pieces / seconds);
    queued.push_back(tuning.ms_queued(watch, first, steps, ms.back()));
    idle.push_back(std::max(0.0, 1 - queued.back() / ms.back()));
  }
  std::printf(
      "{\"system\": \"entrain\", \"model\": \"%s\", \"batch\": \"%s\", \"algorithms\": \"%s\", \"steps\": %d, "
      "\"graphs\": %zu, \"pieces_per_step\": %.1f",
      std::string(name_of<Encoder>).c_str(), batch.c_str(), measured ? "measured" : "first guess", steps,
      tuning.graphs(), pieces / steps);
  print("ms_per_step", ms);
  print("pieces_per_second", rate);
  print("ms_of_gpu", queued);
  print("idle_share", idle);
  std::printf(", \"planned_gib\": %.3f}\n", tuning.planned_gib());
}

void slices_of(const std::string& batch, int steps) {
  Finetuning tuning(batch);
  tuning.warm_up(steps);
  slices::serve("pieces", tuning.parameters(), [&](const std::string&) { return tuning.slice(steps); });
}

int usage() {
  std::fprintf(
      stderr,
      "usage: finetune prepare DIR, finetune slices sentences:N|tokens:N STEPS, finetune alone sentences:N|tokens:N "
      "STEPS [--measured], finetune losses STEPS\n");
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
    } else if (what == "slices" && argc == 4) {
      slices_of(argv[2], std::stoi(argv[3]));
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
