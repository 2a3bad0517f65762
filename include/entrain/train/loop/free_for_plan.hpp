// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Refuses a training that takes more than the free memory of the host, before any of it is allocated.
#pragma once
#include <cstddef>
#include <string>

#include "entrain/core/error.hpp"
#include "entrain/core/free_memory.hpp"

namespace entrain::train {

/// bytes     of a plan (memory_plan.hpp) for batches of `rows` rows
/// throws    entrain.train.50
[[gnu::cold]] inline void refuse_no_memory(std::size_t bytes, int rows, std::size_t free = free_memory()) {
  if (bytes < free) return;
  throw Error(
      "entrain.train.50", "memory",
      "training with batches of " + std::to_string(rows) + " rows takes " + std::to_string(bytes >> 20) + " MiB",
      "less than the " + std::to_string(free >> 20) + " MiB of free memory",
      "lower token_budget or batch_size, or stop other programs");
}

}  // namespace entrain::train
