// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// How readily the model says "no entity", set on the dev split after training. Maximum likelihood does not aim at F1:
// on noisy text with rare entities it says O too often. The answer is one number, and it goes into the weights: the
// bias of O in the classifier. Prediction needs no knob and no code.
#pragma once

#include "entrain/tensor/flat.hpp"

namespace entrain::train {

struct Calibration {
  double shift = 0;  // taken from the bias of O, in logits
  double score = 0;  // with it
};

/// Tries shifts of 0, 0.25 ... 3 and keeps the best `evaluate()`; among equals the smallest, and a shift must win by
/// more than a tenth of a point to be taken at all.
///
/// source    the idea of spaCy's find-threshold, for a CRF: Lipton, Elkan, Naryanaswamy 2014, arXiv:1402.1892, on
///           thresholds that maximise F1
template <class Trainer, class Evaluate>
Calibration calibrate(Trainer& trainer, Evaluate&& evaluate, double unshifted) {
  Calibration best{0, unshifted};
  for (const Span& s : trainer.layout().spans) {
    if (!s.name.ends_with("classifier.bias")) continue;
    auto& bias = trainer.values()[s.offset];  // tag 0 is O
    const auto trained = bias;
    const auto set = [&](double shift) {
      bias = static_cast<typename Trainer::Number>(static_cast<double>(trained) - shift);
      trainer.start_average();
    };
    double needed = unshifted + 1e-3;
    for (int i = 1; i <= 12; ++i) {
      set(0.25 * i);
      const double score = evaluate();
      if (score > needed) needed = score, best = {0.25 * i, score};
    }
    set(best.shift);
    break;
  }
  return best;
}

}  // namespace entrain::train
