// text > [batch] > embed > encode > head > optim > checkpoint
//
// Rows grouped by their places in their ranges, as sorting them by place would give. No sort is needed, since a range
// has all places up to its length.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "entrain/batch/pack/strip.hpp"
#include "entrain/tensor/csr_index.hpp"

namespace entrain::batch {

/// The arrays of a CsrIndex. They grow to the largest batch and keep that size.
class Places {
 public:
  /// rows, stretches: the largest numbers of rows and ranges
  void reserve(std::size_t rows, std::size_t stretches) {
    if (items_.size() < rows + strip) items_.resize(rows + strip);
    if (ids_.size() <= rows) ids_.resize(rows + 1), starts_.resize(rows + 2);
    if (begin_.size() < stretches + strip) begin_.resize(stretches + strip), length_.resize(stretches + strip);
  }

  /// For each place, the rows at that place of all ranges that are long enough.
  ///
  /// cu_rows    where each range begins, and where the last one ends       first    the id of the first place
  CsrIndex operator()(std::span<const std::int32_t> cu_rows, std::int32_t first = 0) {
    const std::size_t stretches = cu_rows.size() - 1;
    const auto rows = static_cast<std::size_t>(cu_rows.back());
    reserve(rows, stretches);
    for (std::size_t s = 0; s < stretches; ++s) {
      begin_[s] = cu_rows[s];
      length_[s] = cu_rows[s + 1] - cu_rows[s];
    }
    std::size_t items = 0, left = stretches;
    std::int32_t place = 0, shortest = 0;  // of the remaining ranges; 0: unknown
    for (;; ++place) {
      if (shortest <= place) left = longer_than(place, left, shortest);
      const auto p = static_cast<std::size_t>(place);
      starts_[p] = static_cast<std::int32_t>(items);
      if (left == 0) break;
      ids_[p] = first + place;
      add_strips(begin_.data(), left, place, items_.data() + items);
      items += left;
    }
    return {ids_.data(), starts_.data(), items_.data(), place, static_cast<int>(rows)};
  }

 private:
  /// Keeps, of the first `left` ranges, those that have the place, in their order. Returns how many, and the shortest
  /// of them.
  std::size_t longer_than(std::int32_t place, std::size_t left, std::int32_t& shortest) {
    std::size_t kept = 0;
    shortest = std::numeric_limits<std::int32_t>::max();
    for (std::size_t i = 0; i < left; ++i) {  // no unpredictable branch
      const std::int32_t begin = begin_[i], length = length_[i];
      const bool has = length > place;
      begin_[kept] = begin, length_[kept] = length;
      kept += has;
      shortest = std::min(shortest, has ? length : std::numeric_limits<std::int32_t>::max());
    }
    return kept;
  }

  std::vector<std::int32_t> ids_, starts_, items_;
  std::vector<std::int32_t> begin_, length_;  // of the remaining ranges
};

}  // namespace entrain::batch
