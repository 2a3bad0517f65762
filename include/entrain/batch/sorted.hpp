// text > [batch] > embed > encode > head > optim > checkpoint
//
// Positions grouped by what they refer to: look-ups turned round by a counting sort, so that the device never sorts.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "entrain/tensor/segments.hpp"

namespace entrain::batch {

/// The arrays behind a Segments; they grow to the largest batch and stay.
class Sorted {
 public:
  void reserve(std::size_t positions, std::size_t values) {
    count_.reserve(values);
    ids_.reserve(positions);
    starts_.reserve(positions + 1);
    items_.reserve(positions);
  }
  /// value(i) in [0, values) for every position i. Both orders, of ids and inside a segment, ascend.
  template <class F> Segments sort(std::size_t positions, std::size_t values, F value) {
    count_.assign(values, 0);
    for (std::size_t i = 0; i < positions; ++i) ++count_[static_cast<std::size_t>(value(i))];
    ids_.clear();
    starts_.assign(1, 0);
    std::int32_t before = 0;
    for (std::size_t v = 0; v < values; ++v) {
      if (count_[v] == 0) continue;
      ids_.push_back(static_cast<std::int32_t>(v));
      const std::int32_t here = before;
      before += count_[v];
      starts_.push_back(before);
      count_[v] = here;  // from now on: where the next position goes
    }
    items_.resize(positions);
    for (std::size_t i = 0; i < positions; ++i)
      items_[static_cast<std::size_t>(count_[static_cast<std::size_t>(value(i))]++)] = static_cast<std::int32_t>(i);
    return {ids_.data(), starts_.data(), items_.data(), static_cast<int>(ids_.size()), static_cast<int>(positions)};
  }

 private:
  std::vector<std::int32_t> count_, ids_, starts_, items_;
};

}  // namespace entrain::batch
