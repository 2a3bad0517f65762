// text > batch > [task] > head > optim > checkpoint
//
// Calibration of tagging: shifts the bias of every tag that opens an entity, on the dev split, after training. Maximum
// likelihood does not maximise F1: on noisy text with rare entities a model predicts O too often. The shift is added to
// the weights, so prediction needs no option and no code.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "entrain/task/calibration.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::task {

/// Tries shifts of 0.25, 0.5 ... 3.5, and on to 8 as long as the largest is the best one. Keeps the one with the best
/// `evaluate()`, if it gains a point over `unshifted`.
///
/// source    Lipton, Elkan, Naryanaswamy 2014, arXiv:1402.1892: the threshold that maximises F1 is not the one that
///           maximises likelihood
///
/// Scheme      of the tags
/// label_bias  the parameter that is added to the score of each label
/// evaluate()  -> double; may throw EvaluationStopped. An Evaluation with `shifted` tries the shifts in one pass; the
///             bias then changes once, and a call of evaluate() confirms the gain
/// unshifted   the score without a shift
template <text::TagScheme Scheme, class Trainer, class Evaluate>
[[gnu::cold]] Calibration shift_openings(Trainer& trainer, std::string_view label_bias, Evaluate&& evaluate,
                                         double unshifted) {
  constexpr double step = 0.25;
  constexpr int always = 14, most = 32, more = 6;
  Calibration c;
  c.score = c.unshifted = c.best_score = unshifted;
  for (const Span& s : trainer.layout().spans) {
    if (s.name != label_bias) continue;
    auto* const bias = trainer.values() + s.offset;
    const std::vector<typename Trainer::Number> unshifted_bias(bias, bias + s.size());
    const auto set = [&](double shift) {
      for (text::Tag tag = 1; tag < s.cols; ++tag)
        if (Scheme::begins(text::tag_part<Scheme>(tag), false))
          bias[tag] = unshifted_bias[static_cast<std::size_t>(tag)] + static_cast<typename Trainer::Number>(shift);
      trainer.start_average();
    };
    const auto tries = [&](int i) { return i <= always || (i <= most && c.best == c.largest); };
    const auto tried = [&](int i, double score) {
      c.largest = step * i;
      if (score > c.best_score) c.best = c.largest, c.best_score = score;
    };
    try {
      if constexpr (requires { evaluate.shifted(std::span<const double>(), std::span<const double>()); }) {
        std::vector<double> openings(unshifted_bias.size());
        for (text::Tag tag = 1; tag < s.cols; ++tag)
          openings[static_cast<std::size_t>(tag)] = Scheme::begins(text::tag_part<Scheme>(tag), false);
        for (int i = 1; tries(i);) {
          std::vector<double> shifts;
          for (int next = i; next <= always || (i > always && next < i + more && next <= most); ++next)
            shifts.push_back(step * next);
          for (const double score : evaluate.shifted(openings, shifts))
            if (tries(i)) tried(i++, score);
        }
        if (c.best_score >= unshifted + Calibration::worth) {
          set(c.best);
          c.best_score = evaluate();
        }
      } else {
        for (int i = 1; tries(i); ++i) {
          set(step * i);
          tried(i, evaluate());
        }
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

}  // namespace entrain::task
