// bench: the same training on a GPU in several ways, for one model.
//
//   ways BATCH STEPS    a line of JSON for each way
//
//   as it is        the host packs and sends batches, gradients of weights run at the same time as those of inputs,
//                   a step is one graph
//   resident        the GPU makes batches from a corpus that stays in its memory
//   at once         values change at a step's end, not during the next forward pass
//   one queue       that, and gradients of weights run in one stream with those of inputs
//   eager           kernels are launched one by one
//
// They take turns, five slices each; a ratio is of neighbouring slices. BATCH: sentences:32, or tokens:8192, a budget
// that whole sentences fill. Sentences are made from a seed (sentences.hpp).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/gpu/models.cuh"
#include "bench/gpu/sentences.hpp"
#include "bench/gpu/training.cuh"
#include "entrain/checkpoint/bert_config.hpp"
#include "entrain/cuda_resident.cuh"
#include "entrain/optim/lazy_row_updates.hpp"
#include "entrain/optim/rules.hpp"

namespace {

using namespace bench;
namespace device = entrain::device;
using Clock = std::chrono::steady_clock;
using Named = bench::ENTRAIN_BENCH_MODEL;

/// The model, and how it is trained.
template <class Encoder> struct Composition {
  using Model = Tagger<Encoder>;
  using Policy = entrain::precision::Bf16Mixed;
  using Optimizer = entrain::optim::LazyUpdate<entrain::optim::AdamW>;
  static constexpr double learning_rate = 5e-5;
  static Sentences sentences(std::size_t count) {
    entrain::checkpoint::BertConfig extents;
    Model::extents(extents);
    return {count, static_cast<int>(extents.vocab_size), Model::Features::positions, 2};
  }
  static auto encoded(const Sentences& from) { return from.encoded<typename Model::Features>(); }
};
template <> struct Composition<Light> {  // examples/01_first_tagger
  using Model = Light;
  using Policy = entrain::precision::Fp32;
  using Optimizer = entrain::optim::Averaged<entrain::optim::AdamW>;
  static constexpr double learning_rate = 1e-3;
  static Sentences sentences(std::size_t count) { return {count, 20003, 512, 2}; }
  static auto encoded(const Sentences& from) { return from.encoded_words<Model::Features>(); }
};
using Chosen = Composition<Named>;

template <class D, class BatchesType = entrain::batch::Streamed> using Trainer =
    entrain::train::Trainer<Chosen::Model, Chosen::Policy, D, Chosen::Optimizer, BatchesType>;

template <class T> struct Way {
  const char* name;
  Training<T> training;
  std::vector<double> ms, rate;

  Way(const char* way, const Sentences& from, const std::string& batch, int steps)
      : name(way), training({Chosen::encoded(from), from.order}, batch, Chosen::learning_rate, 1) {
    training.warm_up(steps);
  }
  void slice(int steps) {
    const auto begin = Clock::now();
    const auto rows = static_cast<double>(training.slice(steps));
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    ms.push_back(1e3 * seconds / steps);
    rate.push_back(rows / seconds);
  }
};

double middle(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

void print(const auto& way, const std::vector<double>& as_it_is, const std::string& batch) {
  std::vector<double> ratio;
  for (std::size_t i = 0; i < as_it_is.size(); ++i) ratio.push_back(as_it_is[i] / way.ms[i]);
  std::printf(
      "{\"model\": \"%s\", \"batch\": \"%s\", \"way\": \"%s\", \"ms_per_step\": %.4f, \"rows_per_second\": %.0f, "
      "\"times_as_fast\": %.3f, \"times_as_fast_least\": %.3f, \"times_as_fast_most\": %.3f}\n",
      std::string(name_of<Named>).c_str(), batch.c_str(), way.name, middle(way.ms), middle(way.rate), middle(ratio),
      *std::min_element(ratio.begin(), ratio.end()), *std::max_element(ratio.begin(), ratio.end()));
}

void ways(const std::string& batch, int steps) {
  const Sentences from = Chosen::sentences(tiny ? 24 : std::size_t(1) << 13);
  using Target = device::ENTRAIN_TARGET;
  Way<Trainer<device::Cuda<Target>>> as_it_is("as it is", from, batch, steps);
  Way<Trainer<device::Cuda<Target>, entrain::batch::Resident>> resident("resident", from, batch, steps);
  Way<Trainer<device::Cuda<device::AtOnce<Target>>>> at_once("at once", from, batch, steps);
  Way<Trainer<device::Cuda<device::OneQueue<Target>>>> one_queue("one queue", from, batch, steps);
  Way<Trainer<device::Cuda<device::Eager<Target>>>> eager("eager", from, batch, steps);
  const auto each = [&](auto&& f) { f(as_it_is), f(resident), f(at_once), f(one_queue), f(eager); };
  for (int i = 0; i < 5; ++i) each([&](auto& way) { way.slice(steps); });
  each([&](const auto& way) { print(way, as_it_is.ms, batch); });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) {
      std::fprintf(stderr, "usage: ways sentences:N|tokens:N STEPS\n");
      return 2;
    }
    ways(argv[1], std::stoi(argv[2]));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
    return 1;
  }
  return 0;
}
