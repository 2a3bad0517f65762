// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Calibrates a trained model on the dev split, if the task of its head has a calibration.
#pragma once
#include <string>

#include "entrain/head/contract.hpp"
#include "entrain/task/calibration.hpp"

namespace entrain::train {

using task::Calibration;
using task::EvaluationStopped;

/// evaluate()  -> double; may throw EvaluationStopped
/// unshifted   the score before the calibration
template <class Trainer, class Evaluate>
[[gnu::cold]] Calibration calibrate(Trainer& trainer, Evaluate&& evaluate, double unshifted) {
  const std::string label_bias = "head." + std::string(head::label_bias_of<typename Trainer::Model::Head>);
  if constexpr (requires { Trainer::Task::calibrate(trainer, label_bias, evaluate, unshifted); }) {
    return Trainer::Task::calibrate(trainer, label_bias, evaluate, unshifted);
  } else {
    Calibration none;
    none.score = none.unshifted = none.best_score = unshifted;
    return none;
  }
}

}  // namespace entrain::train
