// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// How readily the model opens an entity, set on the dev split after training. Maximum likelihood does not aim at F1: on
// noisy text with rare entities it says O too often. The answer is one number, and it goes into the weights: the bias
// of every tag that opens an entity. Prediction needs no knob and no code.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "entrain/head/contract.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/text/scheme.hpp"

namespace entrain::train {

/// What a function that evaluates throws when a training shall stop before the evaluation is over.
struct EvaluationStopped {};

struct Calibration {
  static constexpr double worth = 0.01;  // the gain of F1 from which on a shift is kept: less may be chance

  double shift = 0;      // added to the bias of every tag that opens an entity, in logits
  double score = 0;      // with it
  double unshifted = 0;  // the score without it
  double best = 0;       // of the shifts that were tried the best one, kept or not; 0: none scored more than unshifted
  double best_score = 0;
  double largest = 0;    // that was tried; 0: the net has no such bias, and nothing was tried
  bool stopped = false;  // by an EvaluationStopped; the shift is 0 then

  /// Whether a larger shift than all that were tried may be better still.
  bool at_end() const { return shift > 0 && shift == largest; }
};

/// Tries shifts of 0.25, 0.5 ... 3.5, and on to 8 as long as the largest is the best one. Keeps the one with the best
/// `evaluate()`, if it gains a point over `unshifted`.
///
/// source    Lipton, Elkan, Naryanaswamy 2014, arXiv:1402.1892: the threshold that maximises F1 is not the one that
///           maximises likelihood
template <class Trainer, class Evaluate>
[[gnu::cold]] Calibration calibrate(Trainer& trainer, Evaluate&& evaluate, double unshifted) {
  using Scheme = typename Trainer::Task::Scheme;
  constexpr double step = 0.25;
  constexpr int always = 14, most = 32;
  Calibration c;
  c.score = c.unshifted = c.best_score = unshifted;
  const std::string named = "head." + std::string(head::label_bias_of<typename Trainer::Model::Head>);
  for (const Span& s : trainer.layout().spans) {
    if (s.name != named) continue;
    auto* const bias = trainer.values() + s.offset;
    const std::vector<typename Trainer::Number> unshifted_bias(bias, bias + s.size());
    const auto set = [&](double shift) {
      for (text::Tag tag = 1; tag < s.cols; ++tag)
        if (Scheme::begins(text::tag_part<Scheme>(tag), false))
          bias[tag] = unshifted_bias[static_cast<std::size_t>(tag)] + static_cast<typename Trainer::Number>(shift);
      trainer.start_average();
    };
    try {
      for (int i = 1; i <= always || (i <= most && c.best == c.largest); ++i) {
        c.largest = step * i;
        set(c.largest);
        if (const double score = evaluate(); score > c.best_score) c.best = c.largest, c.best_score = score;
      }
      if (c.best_score >= unshifted + Calibration::worth) c.shift = c.best, c.score = c.best_score;
    } catch (const EvaluationStopped&) {
      c.stopped = true;
    }
    set(c.shift);
    break;
  }
  return c;
}

}  // namespace entrain::train
