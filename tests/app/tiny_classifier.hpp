// tests > [app]: a program that learns classes of texts, with a very small model of either task.
#pragma once
#include <string>
#include <vector>

#include "entrain/app/classify.hpp"
#include "entrain/cpu.hpp"
#include "entrain/cpu_classifier.hpp"
#include "tests/app/program.hpp"

namespace tiny_classifier {
using namespace entrain;
template <class Number> using Model =
    model::Classifier<embed::MultiHash<16, batch::HashedWords<2, 200, 50, 50, 50>, 2>,
                      encode::MaxoutWindow<16, 1, 1, 2>, head::Classify<16, task::Classification<Number>, pool::Mean>>;
template <class Number> using Trainer =
    train::Trainer<Model<Number>, precision::Fp32, device::Cpu<>, optim::Averaged<optim::AdamW>>;
}  // namespace tiny_classifier

namespace test {

/// Number: task::One or task::Many
template <class Number, int Epochs> int classify(int argc, const char* const* argv) {
  entrain::train::Options options;
  options.learning_rate = 0.02;
  options.token_budget = 64;
  options.epochs = Epochs;
  options.knobs.ema_decay = 0.9;
  return entrain::app::classify<tiny_classifier::Trainer<Number>>(argc, argv, options);
}

}  // namespace test
