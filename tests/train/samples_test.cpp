// tests > [train]
//
// Models of samples that are numbers: ten steps equal those of torch (golden/samples.txt, made by
// scripts/golden/samples.py), and threads, workers and the way in which samples come change no bit.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <numeric>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encode_samples.hpp"
#include "entrain/batch/pack/in_order.hpp"
#include "entrain/batch/pack/sampler.hpp"
#include "entrain/batch/pack/shuffled.hpp"
#include "entrain/batch/pipeline/each_sample.hpp"
#include "entrain/cpu.hpp"
#include "entrain/cpu_classifier.hpp"
#include "entrain/embed/floats.hpp"
#include "entrain/embed/token.hpp"
#include "entrain/layer/identity.hpp"
#include "entrain/train/loop/fit.hpp"

namespace samples_test {
using namespace entrain;

namespace {
template <int C, class Task, class Pooling> using Head = head::Classify<C, Task, Pooling, layer::Identity<C>>;
using Binary = task::Classification<task::Binary>;
using One = task::Classification<task::One>;
template <int V, int C> using OfIds =
    model::Classifier<embed::Token<V, C>, layer::Identity<C>, Head<C, Binary, pool::Mean>>;
template <int N> using OfFloats = model::Classifier<embed::Floats<N>, layer::Identity<N>, Head<N, One, pool::First>>;

std::map<std::string, std::vector<double>> golden() {
  std::ifstream in(ENTRAIN_SOURCE_DIR "/tests/train/golden/samples.txt");
  std::map<std::string, std::vector<double>> all;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    for (double x; words >> x;) all[name].push_back(x);
  }
  return all;
}
double first(std::size_t i) { return (static_cast<double>(i * 7 % 11) - 5) * 0.1; }

std::vector<batch::Sample<std::int32_t>> ids(int samples, int values) {
  std::vector<batch::Sample<std::int32_t>> all;
  for (int s = 0; s < samples; ++s) {
    all.push_back({{}, s % 3 == 0, static_cast<std::uint64_t>(s)});
    for (int k = 0; k < 1 + s % 4; ++k) all.back().numbers.push_back((5 * s + 3 * k) % values);
  }
  return all;
}
std::vector<batch::Sample<float>> floats(int samples, int width) {
  std::vector<batch::Sample<float>> all;
  for (int s = 0; s < samples; ++s) {
    all.push_back({{}, s % 3, static_cast<std::uint64_t>(s)});
    for (int j = 0; j < width; ++j) all.back().numbers.push_back(static_cast<float>((3 * s + 5 * j) % 17 - 8) * 0.125f);
  }
  return all;
}

template <class Model, class Optimizer, class Samples>
void against_torch(const std::string& kind, const Samples& samples, const task::Classes& classes,
                   const std::vector<std::string>& names) {
  using Trainer = train::Trainer<Model, precision::Fp64, device::Cpu<>, Optimizer>;
  using Features = typename Trainer::Features;
  auto expected = golden();
  const device::Cpu<> dev(2);
  Trainer trainer(dev, classes, 64, 0);
  const auto e = batch::encode_samples<Features, typename Trainer::Task>(samples, trainer.labels());
  std::vector<std::uint32_t> all(e.sentences());
  std::iota(all.begin(), all.end(), 0u);
  batch::Packer<Features> packer(64);
  const auto packed = packer.pack(e, all, classes.count());
  REQUIRE(trainer.layout().spans.size() == names.size());
  for (const Span& s : trainer.layout().spans)
    for (std::size_t i = 0; i < s.size(); ++i) trainer.values()[s.offset + i] = first(i);
  trainer.start_average();
  for (const double loss : expected[kind + ".losses"]) {
    trainer.accumulate(packed, 0);
    trainer.update({.weight_decay = 0}, 0.01, 0);
    CHECK(trainer.result().mean_loss() == doctest::Approx(loss).epsilon(1e-12));
  }
  CHECK(trainer.steps() == 10);
  const double* const values = trainer.best_values();
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Span& s = trainer.layout().spans[k];
    CAPTURE(s.name);
    const auto& is = expected[kind + "." + names[k]];
    REQUIRE(is.size() == s.size());
    for (std::size_t i = 0; i < is.size(); ++i) CHECK(std::abs(values[s.offset + i] - is[i]) < 1e-9);
  }
}

/// The values after some epochs of a training.
template <class Trainer> std::vector<float> values_of(Trainer& trainer) {
  const float* const values = trainer.best_values();
  return {values, values + trainer.layout().size};
}
train::Options options(int batch_size, int workers) {
  train::Options o;
  o.epochs = 2;
  o.batch_size = batch_size;
  o.loader_workers = workers;
  o.max_grad_norm = 0;
  return o;
}
constexpr auto no_step = [](const train::StepReport&) {};
constexpr auto no_score = [] { return -1.0; };
constexpr auto no_scores = [](std::uint32_t, double, bool) {};

/// Samples by their numbers.
template <class Sample> struct Get {
  const std::vector<Sample>* samples;
  Sample operator()(std::uint32_t i) const { return (*samples)[i]; }
};

template <class Model, class Sample>
void same_bits(const std::vector<Sample>& samples, const task::Classes& classes, int batch_size, int rows) {
  using Trainer = train::Trainer<Model, precision::Fp32, device::Cpu<>, optim::Adam>;
  using Features = typename Trainer::Features;
  using Task = typename Trainer::Task;
  const auto e = batch::encode_samples<Features, Task>(samples, classes);
  std::vector<float> expected;
  for (const int threads : {1, 2, 4})
    for (const int workers : {0, 1, 2, 4}) {
      CAPTURE(threads);
      CAPTURE(workers);
      const device::Cpu<> dev(threads);
      Trainer trainer(dev, classes, rows, 3);
      const auto before = values_of(trainer);
      const train::Options o = options(batch_size, workers);
      const auto outcome = train::fit(trainer, e, o, no_step, no_score, no_scores);
      const auto each = static_cast<std::size_t>(batch_size);
      CHECK(outcome.steps == 2 * ((samples.size() + each - 1) / each));
      const auto after = values_of(trainer);
      CHECK(after != before);
      if (expected.empty()) expected = after;
      CHECK(std::memcmp(after.data(), expected.data(), after.size() * sizeof(float)) == 0);

      // The same samples, made one by one by threads, in the order that the whole corpus has.
      using Samples = batch::Workers<batch::EachSample<Get<Sample>, batch::Sampler>>;
      using Encoded = batch::EncodeSamples<Features, Task, Samples>;
      using Loader = batch::Prefetch<batch::Packed<batch::InOrder<Encoded>>>;
      Trainer other(dev, classes, rows, 3);
      Samples made({Get<Sample>{&samples}, batch::Sampler({.samples = static_cast<std::uint32_t>(samples.size()),
                                                           .chunk = static_cast<std::uint32_t>(batch_size)})},
                   {.workers = workers == 4 ? batch::automatic : workers});
      Loader loader({batch::InOrder(Encoded(classes, std::move(made))), train::packed_options(other, o)});
      train::fit(other, loader, outcome.steps, o, no_step, no_score, no_scores);
      const auto there = values_of(other);
      CHECK(std::memcmp(there.data(), expected.data(), there.size() * sizeof(float)) == 0);
    }
}
}  // namespace

TEST_CASE("samples: ten steps of Adam on ids equal those of torch, with a sparse table and with deferred rows") {
  const std::vector<std::string> names{"table", "weight", "bias"};
  against_torch<OfIds<13, 6>, optim::Adam>("ids", ids(8, 13), task::Classes({"yes"}), names);
  against_torch<OfIds<13, 6>, optim::LazyUpdate<optim::Adam>>("ids", ids(8, 13), task::Classes({"yes"}), names);
}
TEST_CASE("samples: ten steps of Adam on rows of numbers equal those of torch") {
  against_torch<OfFloats<7>, optim::Adam>("floats", floats(8, 7), task::Classes({"a", "b", "c"}), {"weight", "bias"});
}

TEST_CASE("samples: threads, workers, and samples that are made during the training change no bit") {
  same_bits<OfIds<50, 20>>(ids(100, 50), task::Classes({"yes"}), 16, 16 * 4);
  same_bits<OfFloats<40>>(floats(90, 40), task::Classes({"a", "b", "c"}), 16, 16);
}

}  // namespace samples_test
