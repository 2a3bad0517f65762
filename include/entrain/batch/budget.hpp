// text > [batch] > embed > encode > head > optim > checkpoint
//
// Which sentences stand in which batch: shuffled by a seed, then taken in order until the token budget is full.
#pragma once
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "entrain/core/random.hpp"

namespace entrain::batch {

/// 0 ... count - 1 in an order that seed, epoch and buffer alone decide (Fisher and Yates, from the end).
inline void shuffle(std::vector<std::uint32_t>& order, std::size_t count, std::uint64_t seed, std::uint32_t epoch,
                    std::uint32_t buffer = 0) {
  order.resize(count);
  std::iota(order.begin(), order.end(), 0u);
  Random random(seed, 0x5348u + (epoch << 16), buffer);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
}

/// An epoch cut into batches of at most `budget` tokens. A sentence longer than the budget stands alone. No sentence is
/// dropped, repeated or padded.
class Budget {
 public:
  /// length(s): rows of sentence s, for s in [0, sentences).
  template <class Length> void plan(std::size_t sentences, int budget, Length length) {
    starts_.reserve(sentences + 1);  // so that no later epoch takes memory
    starts_.assign(1, 0);
    int filled = 0;
    for (std::size_t i = 0; i < sentences; ++i) {
      const int n = length(order_[i]);
      if (filled > 0 && filled + n > budget) {
        starts_.push_back(i);
        filled = 0;
      }
      filled += n;
    }
    if (sentences > 0) starts_.push_back(sentences);
  }
  void in_order(std::size_t sentences) {
    order_.resize(sentences);
    std::iota(order_.begin(), order_.end(), 0u);
  }
  /// The same seed and epoch give the same order, whatever was drawn before.
  void shuffled(std::size_t sentences, std::uint64_t seed, std::uint32_t epoch) {
    shuffle(order_, sentences, seed, epoch);
  }
  void in_the_order(std::span<const std::uint32_t> order) { order_.assign(order.begin(), order.end()); }

  std::size_t size() const { return starts_.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t b) const {
    return std::span(order_).subspan(starts_[b], starts_[b + 1] - starts_[b]);
  }

 private:
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> starts_{0};
};

}  // namespace entrain::batch
