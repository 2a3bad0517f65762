// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Compares the predictions of a trained model with gold. A sentence is scored when it is decoded; no logits are kept.
#pragma once
#include <cstddef>
#include <deque>
#include <vector>

#include "entrain/batch/pack/packer.hpp"
#include "entrain/task/contract.hpp"
#include "entrain/train/data/data.hpp"  // its names for programs that evaluate
#include "entrain/train/loop/decode.hpp"
#include "entrain/train/loop/predict_shifted.hpp"
#include "entrain/train/loop/score_shifts.hpp"

namespace entrain::train {

/// The scores() of the task's Scorer for the model's predictions.
///
/// gold      of the sentences of e, in the same order
template <class Trainer> auto evaluate(Trainer& trainer, const batch::Encoded<typename Trainer::Features>& e,
                                       const typename Trainer::Task::Gold& gold,
                                       batch::Packer<typename Trainer::Features>& packer) {
  static_assert(task::scorer_contract<typename Trainer::Task>());
  typename Trainer::Task::Scorer scorer(gold, trainer.labels());
  predict_all(trainer, e, packer, [&](std::size_t s, auto predictions) { scorer.sentence(s, predictions); });
  return scorer.scores();
}

/// The score() for the model's predictions with each shift of `by`, in their order.
///
/// on_sentence()   is called for each prediction; it may throw
template <class Trainer, class OnSentence>
std::vector<double> evaluate_shifted(Trainer& trainer, const batch::Encoded<typename Trainer::Features>& e,
                                     const typename Trainer::Task::Gold& gold,
                                     batch::Packer<typename Trainer::Features>& packer, const ScoreShifts& by,
                                     OnSentence&& on_sentence) {
  using Scorer = typename Trainer::Task::Scorer;
  std::deque<Scorer> scorers;  // a scorer need not be movable
  for (std::size_t k = 0; k < by.shifts.size(); ++k) scorers.emplace_back(gold, trainer.labels());
  predict_shifted(trainer, e, packer, by, [&](std::size_t k, std::size_t s, auto predictions) {
    on_sentence();
    scorers[k].sentence(s, predictions);
  });
  std::vector<double> found;
  for (const Scorer& one : scorers) found.push_back(Scorer::score(one.scores()));
  return found;
}

}  // namespace entrain::train
