// text > [batch] > embed > encode > head > optim > checkpoint
//
// Positions grouped by the id that they refer to. A counting sort inverts the look-ups, so that the device never sorts.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_UNROLL
#include "entrain/tensor/csr_index.hpp"

namespace entrain::batch {

/// The arrays of a CsrIndex. They grow to the largest batch and keep that size. A batch uses few of a table's rows, so
/// the state of all rows is one bit each, and only used counters are cleared.
class Sorted {
 public:
  void reserve(std::size_t positions, std::size_t values) { make_room(positions, values); }

  /// value(i) in [0, values) for every position i. Both orders, of ids and inside a segment, ascend.
  template <class F> CsrIndex sort(std::size_t positions, std::size_t values, F value) {
    make_room(positions, values);
    if (values == 1) return all_alike(positions);
    in_order_ = 0;
    for (std::size_t i = 0; i < positions; ++i) {
      const auto v = static_cast<std::size_t>(value(i));
      ++count_[v];
      met_[v / 64] |= std::uint64_t{1} << v % 64;
    }
    const std::size_t words = (values + 63) / 64,
                      segments = values < 4 * positions ? begin_many(words) : begin_few(words);
    for (std::size_t i = 0; i < positions; ++i)
      items_[static_cast<std::size_t>(count_[static_cast<std::size_t>(value(i))]++)] = static_cast<std::int32_t>(i);
    for (std::size_t k = 0; k < segments; ++k) count_[static_cast<std::size_t>(ids_[k])] = 0;
    return {ids_.data(), starts_.data(), items_.data(), static_cast<int>(segments), static_cast<int>(positions)};
  }

 private:
  CsrIndex all_alike(std::size_t positions) {
    ids_[0] = starts_[0] = 0;
    starts_[1] = static_cast<std::int32_t>(positions);
    for (; in_order_ < positions; ++in_order_) items_[in_order_] = static_cast<std::int32_t>(in_order_);
    return {ids_.data(), starts_.data(), items_.data(), positions > 0, static_cast<int>(positions)};
  }
  void make_room(std::size_t positions, std::size_t values) {
    if (count_.size() < values) {
      count_.resize(values);
      met_.resize((values + 63) / 64);
      words_.resize(met_.size());
    }
    if (items_.size() < positions) items_.resize(positions);
    const std::size_t segments = std::min(positions, values);  // at most
    if (starts_.size() <= segments + 1)
      ids_.resize(segments + 1 + at_once + more_at_once), starts_.resize(segments + 2);
  }

  /// Of the values that occur, in their order: their ids, and where the first position of each goes. For many values:
  /// most words of bits have some.
  std::size_t begin_many(std::size_t words) {
    std::size_t segments = 0;
    std::int32_t before = 0;
    for (std::size_t w = 0; w < words; ++w)
      for (std::uint64_t met = std::exchange(met_[w], 0); met != 0; met &= met - 1) {
        const std::size_t v = 64 * w + static_cast<std::size_t>(std::countr_zero(met));
        ids_[segments] = static_cast<std::int32_t>(v);
        starts_[segments++] = before;
        before += std::exchange(count_[v], before);
      }
    starts_[segments] = before;
    return segments;
  }
  /// The same where most words of bits have few values or none, and no processor can predict which. Empty words are
  /// skipped without a branch, and a fixed number of values is taken from each of the others, however many it has.
  std::size_t begin_few(std::size_t words) {
    std::size_t some = 0;
    for (std::size_t w = 0; w < words; ++w) {
      words_[some] = static_cast<std::int32_t>(w);
      some += met_[w] != 0;
    }
    std::int32_t* to = ids_.data();
    for (std::size_t k = 0; k < some; ++k) {
      const std::int32_t w = words_[k];
      std::uint64_t met = std::exchange(met_[static_cast<std::size_t>(w)], 0);
      std::int32_t* const after = to + std::popcount(met);
      ENTRAIN_UNROLL for (std::size_t j = 0; j < at_once; ++j, met &= met - 1) to[j] =
          64 * w + std::countr_zero(met | last_bit);  // never 0, for which the compiler would add a test
      for (to += at_once; met != 0; to += more_at_once)
        ENTRAIN_UNROLL for (std::size_t j = 0; j < more_at_once; ++j, met &= met - 1) to[j] =
            64 * w + std::countr_zero(met | last_bit);
      to = after;
    }
    const auto segments = static_cast<std::size_t>(to - ids_.data());
    std::int32_t before = 0;
    for (std::size_t k = 0; k < segments; ++k) {
      starts_[k] = before;
      before += std::exchange(count_[static_cast<std::size_t>(ids_[k])], before);
    }
    starts_[segments] = before;
    return segments;
  }

  static constexpr std::size_t at_once = 3, more_at_once = 8;  // one word of bits in ten has more than three
  static constexpr std::uint64_t last_bit = std::uint64_t{1} << 63;
  std::vector<std::int32_t> count_;  // [values] 0, except while sorting
  std::vector<std::uint64_t> met_;   // [values / 64] a bit each, likewise 0
  std::vector<std::int32_t> words_;  // [values / 64] those of met_ that are not 0
  std::vector<std::int32_t> ids_, starts_, items_;
  std::size_t in_order_ = 0;  // the first items that equal their own index, from an earlier batch of one value
};

}  // namespace entrain::batch
