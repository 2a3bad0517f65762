// The training loop written out: loader, forward and backward, update, report. 50,000 samples of 2,048 floats, two
// classes, a linear layer, cross-entropy, Adam.
//
//   plain_loop [BATCH [MICROSECONDS]]    default: 128, and 100 microseconds that each sample takes to prepare
//
// Twice the batch has twice the learning rate (Goyal et al. 2017, arXiv:1706.02677).
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <entrain/batch/encode/encode_samples.hpp>
#include <entrain/batch/pack/in_order.hpp>
#include <entrain/batch/pack/packed.hpp>
#include <entrain/batch/pack/sampler.hpp>
#include <entrain/batch/pipeline/each_sample.hpp>
#include <entrain/batch/pipeline/workers.hpp>
#include <entrain/cpu.hpp>
#include <entrain/cpu_classifier.hpp>
#include <entrain/embed/floats.hpp>
#include <entrain/layer/identity.hpp>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {
using namespace entrain;
constexpr int width = 2048;
// torch: nn.Linear(2048, 2), nn.CrossEntropyLoss(), optim.Adam
using Net =
    model::Classifier<embed::Floats<width>, layer::Identity<width>,
                      head::Classify<width, task::Classification<task::One>, pool::First, layer::Identity<width>>>;
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::Adam>;
using Sample = batch::Sample<float>;

// A data set: samples by their numbers.
struct Data {
  std::vector<float> numbers;
  std::vector<std::int32_t> labels;
  std::chrono::microseconds delay;

  Data(std::uint32_t samples, std::chrono::microseconds each)
      : numbers(std::size_t{samples} * width), labels(samples), delay(each) {
    Random random(1);
    for (float& x : numbers) x = 2 * random.uniform() - 1;
    for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.below(2));
  }
  Sample operator[](std::uint32_t i) const {
    if (delay.count() > 0) std::this_thread::sleep_for(delay);
    const auto row = numbers.begin() + static_cast<std::ptrdiff_t>(i) * width;
    return {{row, row + width}, labels[i], i};
  }
};
struct Get {
  const Data* data;
  Sample operator()(std::uint32_t i) const { return (*data)[i]; }
};

// The loader, from the inside out: numbers of samples in random order, a batch at a time; threads that get the samples,
// as many as are useful; checks; batches, made ahead.
using Samples = batch::Workers<batch::EachSample<Get, batch::Sampler>>;
using Encoded = batch::EncodeSamples<Trainer::Features, Trainer::Task, Samples>;
using Loader = batch::Prefetch<batch::Packed<batch::InOrder<Encoded>>>;

Loader loader(const Data& data, const Trainer& trainer) {
  const auto batch_size = static_cast<std::uint32_t>(trainer.rows());
  batch::PackedOptions options;
  options.batch_size = options.rows = trainer.rows();
  options.labels = trainer.labels().count();
  batch::Sampler numbers({.samples = static_cast<std::uint32_t>(data.labels.size()), .chunk = batch_size});
  Samples samples({Get{&data}, std::move(numbers)}, {.workers = batch::automatic});
  return Loader({batch::InOrder(Encoded(trainer.labels(), std::move(samples))), options});
}

void run(int batch_size, int microseconds) {
  const Data data(50000, std::chrono::microseconds(microseconds));
  const device::Cpu<> cpu(1);
  Trainer trainer(cpu, task::Classes({"no", "yes"}), batch_size, 0);
  Loader batches = loader(data, trainer);
  const double learning_rate = 0.001 * batch_size / 128;

  const double begin = batch::seconds_now();
  batch::Loaded<Trainer::Features> batch;
  batches.start(0, {});
  while (batches.next(batch)) {
    trainer.accumulate(batch.batch, 0);                     // forward and backward, without dropout
    trainer.update({.weight_decay = 0}, learning_rate, 0);  // Adam, without clipping
    if (trainer.steps() % 100 == 0) std::printf("step %u: loss %.4f\n", trainer.steps(), trainer.result().mean_loss());
  }
  std::printf("%u steps in %.3f s\n", trainer.steps(), batch::seconds_now() - begin);
}
}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? std::stoi(argv[1]) : 128, argc > 2 ? std::stoi(argv[2]) : 100);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
  }
}
