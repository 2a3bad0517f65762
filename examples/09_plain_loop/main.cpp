// The training loop written out: loader, forward and backward, update, report. 50,000 samples of 2,048 floats, two
// classes, a linear layer, cross-entropy, Adam.
//
//   plain_loop [BATCH [MICROSECONDS [WORKERS]]]    default: 128, 100 microseconds that each sample takes, automatic
//
// With 0 microseconds the samples are prepared once, before the training.
// Twice the batch has twice the learning rate (Goyal et al. 2017, arXiv:1706.02677, section 2.1).
#include <cstdio>
#include <entrain/batch/encode/encode_samples.hpp>
#include <entrain/batch/encode/samples.hpp>
#include <entrain/batch/pack/in_order.hpp>
#include <entrain/batch/pack/packed.hpp>
#include <entrain/batch/pack/sampler.hpp>
#include <entrain/batch/pack/shuffle_buffer.hpp>
#include <entrain/batch/pipeline/each_sample.hpp>
#include <entrain/batch/pipeline/workers.hpp>
#include <entrain/cpu.hpp>
#include <entrain/cpu_classifier.hpp>
#include <entrain/embed/floats.hpp>
#include <entrain/layer/identity.hpp>
#include <exception>
#include <span>
#include <string>
#include <utility>

#include "data.hpp"

namespace {
using namespace plain;

// torch: nn.Linear(2048, 2), nn.CrossEntropyLoss(), optim.Adam
using Linear = head::Classify<width, task::Classification<task::One>, pool::First, layer::Identity<width>>;
using Net = model::Classifier<embed::Floats<width>, layer::Identity<width>, Linear>;
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::Adam>;

// torch: DataLoader(data, batch_size, shuffle=True, num_workers=...). From the inside out: numbers of samples in random
// order, a batch at a time; threads that get the samples; checks of the samples; batches, made ahead by another thread.
using Samples = batch::Workers<batch::EachSample<Get, batch::Sampler>>;
using Encoded = batch::EncodeSamples<Trainer::Features, Trainer::Task, Samples>;
using Loader = batch::Prefetch<batch::Packed<batch::InOrder<Encoded>>>;

batch::PackedOptions options_of(const Trainer& trainer) {
  batch::PackedOptions options;
  options.batch_size = options.rows = trainer.rows();
  options.labels = trainer.labels().count();
  return options;
}
Loader loader(const Data& data, const Trainer& trainer, int workers) {
  batch::Sampler sampler({.samples = data.size(), .chunk = static_cast<std::uint32_t>(trainer.rows())});
  Samples samples({Get{&data}, std::move(sampler)}, {.workers = workers});
  return Loader({batch::InOrder(Encoded(trainer.labels(), std::move(samples))), options_of(trainer)});
}

// The same samples, prepared and checked once, before the training: then a batch is a copy of its rows.
batch::Encoded<Trainer::Features> prepared(const Data& data, const Trainer& trainer) {
  batch::Encoded<Trainer::Features> all;
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    const auto where = [&] { return "sample " + std::to_string(i); };
    const batch::Sample<float> sample = data[i];
    batch::add_sample(all, std::span(sample.numbers), where);
    batch::add_target<Trainer::Task>(all, sample.label, trainer.labels(), where);
  }
  return all;
}

template <class Batches> void train(Trainer& trainer, Batches batches, double learning_rate) {
  const double begin = batch::seconds_now();
  batch::Loaded<Trainer::Features> loaded;
  batches.start(0, {});
  while (batches.next(loaded)) {
    trainer.accumulate(loaded.batch, 0);                    // forward and backward; dropout is 0
    trainer.update({.weight_decay = 0}, learning_rate, 0);  // Adam, without clipping
    if (trainer.steps() % 100 == 0) std::printf("step %u: loss %.4f\n", trainer.steps(), trainer.result().mean_loss());
  }
  std::printf("%u steps in %.3f s\n", trainer.steps(), batch::seconds_now() - begin);
}

void run(int batch_size, int microseconds, int workers) {
  const Data data(50000, std::chrono::microseconds(microseconds));
  const double learning_rate = 0.001 * batch_size / 128;
  const device::Cpu<> cpu(1);
  Trainer trainer(cpu, task::Classes({"no", "yes"}), batch_size, 0);
  if (microseconds > 0) {
    train(trainer, loader(data, trainer, workers), learning_rate);
  } else {
    const auto all = prepared(data, trainer);
    using InMemory = batch::Prefetch<batch::Packed<batch::Whole<Trainer::Features>>>;
    train(trainer, InMemory({batch::Whole<Trainer::Features>(all, 0), options_of(trainer)}), learning_rate);
  }
}
}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? std::stoi(argv[1]) : 128, argc > 2 ? std::stoi(argv[2]) : 100,
        argc > 3 ? std::stoi(argv[3]) : batch::automatic);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
  }
}
