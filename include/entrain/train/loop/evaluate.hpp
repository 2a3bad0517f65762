// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Compares the predictions of a trained model with gold. A sentence is scored when it is decoded; no logits are kept.
#pragma once
#include <cstddef>

#include "entrain/batch/pack/packer.hpp"
#include "entrain/task/contract.hpp"
#include "entrain/train/data/data.hpp"  // its names for programs that evaluate
#include "entrain/train/loop/decode.hpp"

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

}  // namespace entrain::train
