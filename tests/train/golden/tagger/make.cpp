// tests > [train]: writes the model folder that it is in, by a program of the version before initialisers were the
// layers' own: a later one must open it.
//
//   g++ -std=c++20 -O1 -Iinclude -I. -I/usr/include/eigen3 tests/train/golden/tagger/make.cpp -o /tmp/make
//   /tmp/make tests/train/golden/tagger
#include <cstdint>
#include <cstdio>

#include "entrain/train/folder/save.hpp"
#include "entrain/train/loop/fit.hpp"
#include "tests/train/tiny.hpp"

int main(int, char** argv) {
  using namespace test;
  const device::Cpu<> dev(1);
  const train::Tagged split = people(40);
  const Labels labels(split.types.names());
  train::Options options;
  options.epochs = 30;
  options.token_budget = 60;
  options.learning_rate = 0.02;
  options.word_dropout = 0;
  options.calibrate = false;
  Trainer trainer(dev, labels, options.token_budget, 5);
  std::uint64_t digest = 1469598103934665603u;  // of the first values
  for (const float v : values_of(trainer)) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &v, 4);
    digest = (digest ^ bits) * 1099511628211u;
  }
  std::printf("first values: 0x%016llXu\n", static_cast<unsigned long long>(digest));
  train::fit(
      trainer, encoded(split, labels), options, [](const train::StepReport&) {}, [] { return -1.0; },
      [](std::uint32_t, double, bool) {});
  entrain::checkpoint::Config about;
  about.splitter = "unicode-words-1";
  about.sentence_splitter = "lines";
  train::remember(about, options);
  train::save(trainer, argv[1], about);
}
