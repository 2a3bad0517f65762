// text > [batch] > embed > encode > head > optim > checkpoint
//
// The size of a batch: as many rows as a budget allows, or a number of sentences; constant or growing. Read budget.hpp
// for how the packer cuts an order of sentences into batches.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::batch {

/// Sizes that change from batch to batch, as spaCy's compounding(start, stop, compound) gives them:
///
///     size(n) = the whole part of start * factor * ... * factor (n times), limited by stop
///
/// If stop is below start, factor must be below 1. `start` 0: all batches have the same size.
/// source    thinc 8, thinc/schedules.py: a product in double precision for each batch, cut at `stop` when it is
///           given out; spacy/util.py, minibatch: its whole part counts
struct Compounding {
  double start = 0, stop = 0, factor = 1;

  explicit operator bool() const { return start > 0; }
  double largest() const { return std::max(start, stop); }
  friend bool operator==(const Compounding&, const Compounding&) = default;
};

/// The sizes of a Compounding. The next size costs one product; an earlier size costs all products again.
class CompoundingSizes {
 public:
  /// The size of batch n of the training, from 0. Calls may come in any order.
  double number(const Compounding& of, std::uint64_t n) {
    if (n < n_ || of != of_) of_ = of, n_ = 0, value_ = of.start;
    for (; n_ < n && !over() && of.factor != 1; ++n_) value_ *= of.factor;
    return over() ? of.stop : value_;
  }

 private:
  bool over() const { return of_.start > of_.stop ? value_ <= of_.stop : value_ >= of_.stop; }

  Compounding of_;
  std::uint64_t n_ = 0;  // of value_
  double value_ = 0;
};

struct Batching {
  int token_budget = 256;        // rows of a batch; a longer sentence is a batch alone
  int batch_size = 0;            // sentences of a batch, regardless of rows; 0: as many as the budget allows
  bool group_by_length = false;  // the sentences of a batch have about the same length
  Compounding compounding{};     // smaller batches at first, or later: in rows, or in sentences if batch_size is set
  int look_ahead = 64;           // sentences that are searched to fill a budget, out of their order; 0: none

  /// The largest size, in rows, or in sentences if batch_size is set.
  int largest() const { return batch_size > 0 ? batch_size : token_budget; }
};

/// The largest number of rows that any batch can have, in any order. With a budget: the budget, or the longest sentence
/// if that is longer. With a number of sentences: the rows of that many of the longest sentences.
///
/// rows      of each sentence
ENTRAIN_INLINE std::int64_t largest_batch(std::span<const std::int32_t> rows, const Batching& how);

}  // namespace entrain::batch

#if !defined(ENTRAIN_COMPILED)
#include "entrain/batch/pack/batching.ipp"
#endif
