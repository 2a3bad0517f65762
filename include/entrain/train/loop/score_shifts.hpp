// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// What is added to the scores of labels before the head chooses among them.
#pragma once
#include <span>

namespace entrain::train {

/// Several additions: the k-th adds shifts[k] * of_label[label] to every score of a label.
struct ScoreShifts {
  std::span<const double> of_label, shifts;
};

}  // namespace entrain::train
