// text > [batch] > embed > encode > head > optim > checkpoint
//
// Assigns sentences to batches: an order, shuffled by a seed, is cut as batching.hpp defines.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "entrain/batch/pack/batching.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/core/random.hpp"

namespace entrain::batch {

/// 0 ... count - 1 in an order that depends only on seed, epoch and buffer (Fisher and Yates, from the end).
inline void shuffle(std::vector<std::uint32_t>& order, std::size_t count, std::uint64_t seed, std::uint32_t epoch,
                    std::uint32_t buffer = 0) {
  order.resize(count);
  std::iota(order.begin(), order.end(), 0u);
  Random random(seed, 0x5348u + (epoch << 16), buffer);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
}

/// An epoch, or the part of it that is in memory, cut into batches. No sentence is dropped, repeated or padded. The
/// same order and the same lengths give the same batches.
///
/// A budget is filled in the order of the sentences. Near the end of a batch, the next `look_ahead` sentences are
/// searched for the choice that leaves the fewest rows empty, and the longest sentence that fits is moved forward. A
/// skipped sentence is the first of the next batch, so no sentence waits longer than that. A sentence longer than the
/// budget is a batch alone.
class Budget {
 public:
  /// The order: unchanged, given, or shuffled. The same seed and epoch give the same shuffle, independent of earlier
  /// draws.
  void in_order(std::size_t sentences) {
    order_.resize(sentences);
    std::iota(order_.begin(), order_.end(), 0u);
  }
  void in_the_order(std::span<const std::uint32_t> order) { order_.assign(order.begin(), order.end()); }
  void shuffled(std::size_t sentences, std::uint64_t seed, std::uint32_t epoch) {
    shuffle(order_, sentences, seed, epoch);
  }

  /// Cuts the latest order into batches, once for each order.
  ///
  /// rows      of each sentence, by its number             made   batches of the training before these
  ENTRAIN_INLINE void plan(const Batching& how, std::span<const std::int32_t> rows, std::uint64_t made = 0);
  /// Cuts by a budget without reordering, for a caller that wants answers in the order of its questions.
  void plan(std::size_t sentences, int budget, std::span<const std::int32_t> rows) {
    order_.resize(sentences);
    plan({.token_budget = budget, .look_ahead = 0}, rows);
  }

  std::size_t size() const { return starts_.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t b) const {
    return std::span(order_).subspan(starts_[b], starts_[b + 1] - starts_[b]);
  }

 private:
  int size_of(const Batching& how, std::uint64_t n) {
    const int largest = std::max(how.largest(), 1);
    if (!how.compounding) return largest;
    return static_cast<int>(std::clamp<double>(sizes_.number(how.compounding, n), 1, largest));
  }

  using Lengths = std::span<const std::int32_t>;
  ENTRAIN_INLINE std::size_t filled(std::size_t at, int budget, std::size_t look_ahead, Lengths length);
  ENTRAIN_INLINE std::size_t longest_within(int room, std::size_t from, std::size_t many, Lengths length) const;
  ENTRAIN_INLINE void group(const Batching& how, Lengths length);

  struct Placed {
    int length;
    std::uint32_t place, sentence;
  };
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> starts_{0};
  std::vector<Placed> group_;
  CompoundingSizes sizes_;
};

}  // namespace entrain::batch

#if !defined(ENTRAIN_COMPILED)
#include "entrain/batch/pack/budget.ipp"
#endif
