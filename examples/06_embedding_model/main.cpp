// An embedding model trained on ids: 10,000 samples of 20 ids below 1,000, each with a label 0 or 1.
//
//   embedding_model a    batches of 32 of a shuffled corpus, made between the steps
//   embedding_model b    batches of 128, made ahead by a thread
//   embedding_model c [WORKERS]    the same, and each sample takes 1 ms to prepare; default: as many threads as useful
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <entrain/batch/encode/encode_samples.hpp>
#include <entrain/batch/pack/in_order.hpp>
#include <entrain/batch/pack/sampler.hpp>
#include <entrain/batch/pipeline/each_sample.hpp>
#include <entrain/train/loop/fit.hpp>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "model.hpp"

namespace {
using namespace entrain;
using embedding::Trainer;
using Features = Trainer::Features;
using Task = Trainer::Task;
using Sample = batch::Sample<std::int32_t>;

std::vector<Sample> made_up(std::uint32_t count) {
  Random random(1);
  std::vector<Sample> samples(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    samples[i].number = i;
    samples[i].label = static_cast<std::int32_t>(random.below(2));
    for (int k = 0; k < 20; ++k) samples[i].numbers.push_back(static_cast<std::int32_t>(random.below(1000)));
  }
  return samples;
}

// What the map of program c does to each sample, on any thread.
struct Prepare {
  const std::vector<Sample>* samples;
  Sample operator()(std::uint32_t number) const {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return (*samples)[number];
  }
};

// The loader of program c, from the inside out: numbers of samples in random order, 128 at a time; threads that prepare
// these samples, as many as are useful; checks; batches, made ahead.
using Prepared = batch::Workers<batch::EachSample<Prepare, batch::Sampler>>;
using Loader = batch::Prefetch<batch::Packed<batch::InOrder<batch::EncodeSamples<Features, Task, Prepared>>>>;

Loader loader(const std::vector<Sample>& samples, const Trainer& trainer, const train::Options& options, int workers) {
  batch::Sampler numbers({.samples = static_cast<std::uint32_t>(samples.size()), .chunk = 128, .seed = options.seed});
  Prepared prepared({Prepare{&samples}, std::move(numbers)}, {.workers = workers});
  return Loader({batch::InOrder(batch::EncodeSamples<Features, Task, Prepared>(trainer.labels(), std::move(prepared))),
                 train::packed_options(trainer, options)});
}

void run(char program, int workers) {
  const std::vector<Sample> samples = made_up(10000);

  train::Options options;
  options.epochs = 2;
  options.batch_size = program == 'a' ? 32 : 128;
  options.loader_workers = program == 'a' ? 0 : 1;
  options.learning_rate = 0.001;
  options.max_grad_norm = 0;  // as in Keras' Adam: gradients are not clipped, and weights do not decay
  options.knobs.weight_decay = 0;
  const device::Cpu<> cpu(1);
  Trainer trainer(cpu, task::Classes({"yes"}), options.batch_size * 20, options.seed);

  const auto report = [](const train::StepReport& s) {
    if (s.step % (s.total_steps / 2) == 0) std::printf("epoch %d: loss %.4f, %.3f s\n", s.epoch + 1, s.loss, s.seconds);
  };
  const auto no_score = [] { return -1.0; };
  const auto no_scores = [](std::uint32_t, double, bool) {};
  if (program == 'c') {
    Loader batches = loader(samples, trainer, options, workers);
    const std::uint32_t steps = 2 * ((10000 + 127) / 128);
    train::fit(trainer, batches, steps, options, report, no_score, no_scores);
  } else {
    const auto encoded = batch::encode_samples<Features, Task>(samples, trainer.labels());
    train::fit(trainer, encoded, options, report, no_score, no_scores);
  }
}
}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1][0] : 'a', argc > 2 ? std::stoi(argv[2]) : batch::automatic);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
  }
}
