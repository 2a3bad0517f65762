// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// How readily the model opens an entity, set on the dev split after training. Maximum likelihood does not aim at F1: on
// noisy text with rare entities it says O too often. The answer is one number, and it goes into the weights: the bias
// of every tag that opens an entity. Prediction needs no knob and no code.
#pragma once
#include <cstddef>
#include <vector>

#include "entrain/tensor/flat.hpp"
#include "entrain/text/scheme.hpp"

namespace entrain::train {

struct Calibration {
  double shift = 0;  // added to the bias of every tag that opens an entity, in logits
  double score = 0;  // with it
};

/// Tries shifts of 0.25, 0.5 ... 3.5 and keeps the one with the best `evaluate()`, if it gains a point over
/// `unshifted`.
///
/// source    Lipton, Elkan, Naryanaswamy 2014, arXiv:1402.1892: the threshold that maximises F1 is not the one that
///           maximises likelihood
template <class Trainer, class Evaluate>
[[gnu::cold]] Calibration calibrate(Trainer& trainer, Evaluate&& evaluate, double unshifted) {
  using Scheme = typename Trainer::Scheme;
  constexpr double worth = 0.01;
  Calibration best{0, unshifted};
  for (const Span& s : trainer.layout().spans) {
    if (!s.name.ends_with("classifier.bias")) continue;
    auto* const bias = trainer.values() + s.offset;
    const std::vector<typename Trainer::Number> unshifted_bias(bias, bias + s.size());
    const auto set = [&](double shift) {
      for (text::Tag tag = 1; tag < s.cols; ++tag)
        if (Scheme::begins(text::tag_part<Scheme>(tag), false))
          bias[tag] = unshifted_bias[static_cast<std::size_t>(tag)] + static_cast<typename Trainer::Number>(shift);
      trainer.start_average();
    };
    for (int i = 1; i <= 14; ++i) {
      set(0.25 * i);
      if (const double score = evaluate(); score >= unshifted + worth && score > best.score) best = {0.25 * i, score};
    }
    set(best.shift);
    break;
  }
  return best;
}

}  // namespace entrain::train
