// text > batch > embed > encode > [head] > optim > checkpoint
//
// Decoding of a head that has scores_apart (core/contract.hpp): all scores of a batch, then the tags.
#pragma once
#include "entrain/device/step.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::head {

/// Real: the head's Impl. N: the type of its scores.
template <class Real, class N, class D> void decode_by_scores(const Step<D>& at, const auto& w, auto x, auto tags) {
  const Scratch give_back{at.scratch};
  const auto scores = take_label_matrix<N>(at.scratch, at.shape.rows, at.shape.labels);
  Real::score(at, w, x, scores);
  Real::choose(at, w, LabelMatrix<const N>(scores), tags);
}

}  // namespace entrain::head
