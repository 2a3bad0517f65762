// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A command-line program made from a trainer type:
//
//   int main(int argc, char** argv) { return entrain::app::ner<Trainer>(argc, argv); }
#pragma once
#include "entrain/app/predict/predict.hpp"
#include "entrain/app/program_of.hpp"

namespace entrain::app {

/// train | evaluate | predict | check | convert | score. Data goes to standard output, everything else to standard
/// error. The exit code is 0; 1 after an error in files, device or numbers (one line states it); 2 for wrong usage; or
/// 128 + the signal for a training that a signal stopped. `defaults`: values of the options that the command line does
/// not name.
template <class Trainer>
[[gnu::cold]] int ner(int argc, const char* const* argv, train::Options defaults = train::default_options<Trainer>()) {
  return run(
      program_of<Trainer>(
          defaults, predict_entities<typename Trainer::Model, typename Trainer::Policy, typename Trainer::Device>),
      argc, argv);
}

/// For a trainer whose task the commands do not handle.
template <class Trainer>
requires(train::IsTrainer<Trainer> && !task::is_tagging<typename Trainer::Task>) int ner(int, const char* const*,
                                                                                         train::Options = {}) {
  static_assert(task::is_tagging<typename Trainer::Task>,
                "entrain: the commands of app::ner handle tags only, and the task of this trainer's head is another; "
                "for classes of texts call app::classify, for others train::fit and train::evaluate; see "
                "docs/extending/head.md.");
  return 2;
}

/// For another type than a trainer.
template <class T>
requires(!train::IsTrainer<T>) int ner(int, const char* const*, train::Options = {}) {
  static_assert(
      train::is_trainer<T>,
      "entrain: app::ner takes a trainer, as in app::ner<train::Trainer<Model, precision::Fp32, device::Cpu<>, "
      "optim::AdamW>>(argc, argv), and this type is none.");
  return 2;
}

}  // namespace entrain::app
