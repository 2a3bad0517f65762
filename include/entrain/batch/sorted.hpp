// text > [batch] > embed > encode > head > optim > checkpoint
//
// Positions grouped by what they refer to: look-ups turned round by a counting sort, so that the device never sorts.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "entrain/tensor/segments.hpp"

namespace entrain::batch {

/// The arrays behind a Segments; they grow to the largest batch and stay. A batch names few of a table's rows, so what
/// is said of all of them is a bit each, and no counter is cleared but those that were used.
class Sorted {
 public:
  void reserve(std::size_t positions, std::size_t values) { make_room(positions, values); }

  /// value(i) in [0, values) for every position i. Both orders, of ids and inside a segment, ascend.
  template <class F> Segments sort(std::size_t positions, std::size_t values, F value) {
    make_room(positions, values);
    if (values == 1) return all_alike(positions);
    in_order_ = 0;
    for (std::size_t i = 0; i < positions; ++i) {
      const auto v = static_cast<std::size_t>(value(i));
      ++count_[v];
      met_[v / 64] |= std::uint64_t{1} << v % 64;
    }
    const std::size_t segments = begin_segments(values);
    for (std::size_t i = 0; i < positions; ++i)
      items_[static_cast<std::size_t>(count_[static_cast<std::size_t>(value(i))]++)] = static_cast<std::int32_t>(i);
    for (std::size_t k = 0; k < segments; ++k) count_[static_cast<std::size_t>(ids_[k])] = 0;
    return {ids_.data(), starts_.data(), items_.data(), static_cast<int>(segments), static_cast<int>(positions)};
  }

  /// What sort() gives of rows that lie in stretches, by each row's place in its stretch.
  ///
  /// cu_rows    where each stretch begins, and the last one ends        longest   of them, at most
  Segments places(std::span<const std::int32_t> cu_rows, std::size_t longest) {
    const auto rows = static_cast<std::size_t>(cu_rows.back());
    make_room(rows, longest + 1);
    in_order_ = 0;
    for (std::size_t s = 0; s + 1 < cu_rows.size(); ++s)
      ++count_[static_cast<std::size_t>(cu_rows[s + 1] - cu_rows[s])];
    std::size_t places = longest;  // that are there
    while (places > 0 && count_[places] == 0) --places;
    std::int32_t before = 0, shorter = std::exchange(count_[0], 0);  // stretches that do not have the place
    for (std::size_t p = 0; p < places; ++p) {
      ids_[p] = static_cast<std::int32_t>(p);
      starts_[p] = before;
      before += static_cast<std::int32_t>(cu_rows.size()) - 1 - shorter;
      shorter += std::exchange(count_[p + 1], 0);
    }
    starts_[places] = before;
    std::copy_n(starts_.begin(), places, count_.begin());
    for (std::size_t s = 0; s + 1 < cu_rows.size(); ++s)
      for (std::int32_t row = cu_rows[s], p = 0; row < cu_rows[s + 1]; ++row, ++p)
        items_[static_cast<std::size_t>(count_[static_cast<std::size_t>(p)]++)] = row;
    std::fill_n(count_.begin(), places, 0);
    return {ids_.data(), starts_.data(), items_.data(), static_cast<int>(places), static_cast<int>(rows)};
  }

 private:
  Segments all_alike(std::size_t positions) {
    ids_[0] = starts_[0] = 0;
    starts_[1] = static_cast<std::int32_t>(positions);
    for (; in_order_ < positions; ++in_order_) items_[in_order_] = static_cast<std::int32_t>(in_order_);
    return {ids_.data(), starts_.data(), items_.data(), positions > 0, static_cast<int>(positions)};
  }
  void make_room(std::size_t positions, std::size_t values) {
    if (count_.size() < values) count_.resize(values), met_.resize((values + 63) / 64);
    if (items_.size() < positions) items_.resize(positions);
    const std::size_t segments = std::min(positions, values);  // at most
    if (ids_.size() <= segments) ids_.resize(segments + 1), starts_.resize(segments + 2);
  }

  /// Of the values that were met, in their order: which they are, and where the first position of each goes.
  std::size_t begin_segments(std::size_t values) {
    std::size_t segments = 0;
    std::int32_t before = 0;
    for (std::size_t w = 0; w < (values + 63) / 64; ++w)
      for (std::uint64_t met = std::exchange(met_[w], 0); met != 0; met &= met - 1) {
        const std::size_t v = 64 * w + static_cast<std::size_t>(std::countr_zero(met));
        ids_[segments] = static_cast<std::int32_t>(v);
        starts_[segments++] = before;
        before += std::exchange(count_[v], before);
      }
    starts_[segments] = before;
    return segments;
  }

  std::vector<std::int32_t> count_;  // [values] 0, but while sorting
  std::vector<std::uint64_t> met_;   // [values / 64] a bit each, 0 too
  std::vector<std::int32_t> ids_, starts_, items_;
  std::size_t in_order_ = 0;  // of the first items each is its place, from an earlier batch of one value
};

}  // namespace entrain::batch
