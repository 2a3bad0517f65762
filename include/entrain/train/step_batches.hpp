// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// A step cut into batches that fit: how many tokens a step learns from is a choice about learning, how many lie on the
// device at once is not.
#pragma once
#include <algorithm>
#include <cstdint>

namespace entrain::train {

/// What a step is made of: as many batches, each of at most so many rows.
struct StepBatches {
  int token_budget = 0;
  int gradient_accumulation_steps = 1;
};

/// The fewest batches of at most `largest` rows that hold the rows of a step; they are as even as can be.
///
///     batches = ceil(rows_of_step / largest),   token_budget = ceil(rows_of_step / batches)
///
/// largest   at least 1
inline StepBatches step_batches(std::int64_t rows_of_step, int largest) {
  const std::int64_t rows = std::max<std::int64_t>(rows_of_step, 1);
  const std::int64_t batches = (rows + largest - 1) / largest;
  return {static_cast<int>((rows + batches - 1) / batches), static_cast<int>(batches)};
}

}  // namespace entrain::train
