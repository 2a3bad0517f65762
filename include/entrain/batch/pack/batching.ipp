// text > [batch] > embed > encode > head > optim > checkpoint
//
// Definitions of batching.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "entrain/batch/pack/batching.hpp"

namespace entrain::batch {

ENTRAIN_INLINE std::int64_t largest_batch(std::span<const std::int32_t> rows, const Batching& how) {
  const std::size_t most = how.batch_size > 0 ? static_cast<std::size_t>(how.batch_size) : 1;
  std::vector<std::int32_t> longest(std::min(most, rows.size()));
  std::partial_sort_copy(rows.begin(), rows.end(), longest.begin(), longest.end(), std::greater<>());
  std::int64_t sum = 0;
  for (const std::int32_t n : longest) sum += n;
  return how.batch_size > 0 ? sum : std::max<std::int64_t>(sum, how.token_budget);
}

}  // namespace entrain::batch
