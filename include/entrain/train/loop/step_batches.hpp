// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Cuts a step into batches that fit. The number of tokens of a step is a choice about learning; the number of tokens on
// the device at once is not.
#pragma once
#include <algorithm>
#include <cstdint>

namespace entrain::train {

/// The batches of a step: their number, and the most rows of each.
struct StepBatches {
  int token_budget = 0;
  int gradient_accumulation_steps = 1;
};

/// The fewest batches of at most `largest` rows that hold the rows of a step, as even as possible.
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
