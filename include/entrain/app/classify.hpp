// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A command-line program that learns classes of texts, made from a trainer type:
//
//   int main(int argc, char** argv) { return entrain::app::classify<Trainer>(argc, argv); }
#pragma once
#include "entrain/app/classify/predict_classes.hpp"
#include "entrain/app/program_of.hpp"

namespace entrain::app {

/// The commands of app::ner: train and evaluate read texts with classes (CSV, TSV, JSON Lines), predict gives the class
/// of each text, or its classes.
template <class Trainer> [[gnu::cold]] int classify(int argc, const char* const* argv,
                                                    train::Options defaults = train::default_options<Trainer>()) {
  return run(
      program_of<Trainer>(defaults,
                          predict_classes<typename Trainer::Model, typename Trainer::Policy, typename Trainer::Device>),
      argc, argv);
}

namespace detail {
template <class T> inline constexpr bool classifies = [] {
  if constexpr (train::IsTrainer<T>) return requires {
      T::Task::exclusive;
    };
  else
    return false;
}();
}  // namespace detail

/// For another type than a trainer of classes.
template <class T>
requires(!detail::classifies<T>) int classify(int, const char* const*, train::Options = {}) {
  static_assert(detail::classifies<T>,
                "entrain: app::classify takes a trainer whose head learns task::Classification, as in "
                "app::classify<train::Trainer<model::Classifier<Embed, Encode, head::Classify<96>>, precision::Fp32, "
                "device::Cpu<>, optim::AdamW>>(argc, argv); app::ner takes one that learns tags.");
  return 2;
}

}  // namespace entrain::app
