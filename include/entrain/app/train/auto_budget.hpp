// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// --token-budget auto: a step learns from the same number of tokens as without it, in batches as large as memory
// allows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/train/device_memory.hpp"
#include "entrain/core/error.hpp"
#include "entrain/train/loop/fit.hpp"
#include "entrain/train/loop/memory_plan.hpp"
#include "entrain/train/loop/step_batches.hpp"

namespace entrain::app {

/// The largest batch that a user may ask for, in rows.
inline constexpr int most_rows = 1 << 24;

/// The step of `options`, divided so that the plan of a batch fits. It is never larger than that step: a budget decides
/// how much one step learns from, so free memory is no reason to raise it.
///
/// longest             rows of the longest sentence, which is never divided
/// where               `file:line` of that sentence; empty: not known
/// total_of(rows)      bytes of the plan for batches of that many rows
/// throws              entrain.app.24: the longest sentence alone does not fit
template <class TotalOf> train::StepBatches batches_that_fit(const train::Options& options, int longest,
                                                             const DeviceMemory& memory, std::string_view unit,
                                                             TotalOf total_of, const std::string& where = {}) {
  const std::int64_t step = std::int64_t{options.token_budget} * options.gradient_accumulation_steps;
  const int most = std::max(longest, static_cast<int>(std::min<std::int64_t>(step, most_rows)));
  const int largest = train::largest_rows(memory.room(), most, total_of);
  if (largest < std::max(longest, 1))
    throw Error("entrain.app.24", "memory",
                "too little for one sentence: a plan of " + mebibytes(total_of(std::max(longest, 1))) + " for the " +
                    grouped(std::int64_t{longest}) + " " + std::string(unit) + " of the longest" +
                    (where.empty() ? "" : ", at " + where),
                "at most " + mebibytes(memory.room()) + ", of " + mebibytes(memory.free) + " of free memory",
                "split longer sentences, or stop other programs");
  return train::step_batches(step, largest);
}

}  // namespace entrain::app
