// text > batch > [task] > head > optim > checkpoint
//
// Calibration of classes of which a text has any number: shifts the bias of each class, on the dev split, after
// training. Maximum likelihood does not maximise F1: a rare class seldom gets a probability of 1/2. The shift is added
// to the weights, so prediction and other programs keep the threshold 1/2.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include "entrain/task/calibration.hpp"
#include "entrain/tensor/flat.hpp"

namespace entrain::task {

/// Shifts the bias of each class by what gives it the best F1 on the dev split. Keeps all shifts, if together they gain
/// a point over `unshifted`, or none.
///
/// source    Lipton, Elkan, Naryanaswamy 2014, arXiv:1402.1892
///
/// label_bias  the parameter that is added to the score of each class
/// evaluate    an Evaluation that knows the shifts
/// unshifted   the score without a shift
template <class Trainer, class Evaluate>
[[gnu::cold]] Calibration shift_classes(Trainer& trainer, std::string_view label_bias, Evaluate&& evaluate,
                                        double unshifted) {
  Calibration c;
  c.score = c.unshifted = c.best_score = unshifted;
  c.each_label = true;
  for (const Span& s : trainer.layout().spans) {
    if (s.name != label_bias) continue;
    auto* const bias = trainer.values() + s.offset;
    const std::vector<typename Trainer::Number> before(bias, bias + s.size());
    try {
      evaluate();  // with the weights that are kept
      const std::vector<double> shifts = evaluate.shifts_of_last();
      for (std::size_t k = 0; k < std::min(shifts.size(), before.size()); ++k) {
        if (shifts[k] == 0) continue;
        ++c.shifted;
        c.largest = std::max(c.largest, std::abs(shifts[k]));
        bias[k] = before[k] + static_cast<typename Trainer::Number>(shifts[k]);
      }
      if (c.shifted > 0) {
        trainer.start_average();
        c.best_score = evaluate();
        if (c.best_score >= unshifted + Calibration::worth) c.shift = c.best = c.largest, c.score = c.best_score;
      }
    } catch (const EvaluationStopped&) {
      c.stopped = true;
    }
    if (c.shift == 0) {
      std::copy(before.begin(), before.end(), bias);
      trainer.start_average();
    }
    break;
  }
  return c;
}

}  // namespace entrain::task
