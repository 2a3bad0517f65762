// text > [batch] > embed > encode > head > optim > checkpoint
//
// Definitions of budget.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "entrain/batch/pack/budget.hpp"

namespace entrain::batch {

ENTRAIN_INLINE void Budget::plan(const Batching& how, std::span<const std::int32_t> rows, std::uint64_t made) {
  const std::size_t sentences = order_.size();
  starts_.reserve(sentences + 1);  // so that no later epoch allocates
  starts_.assign(1, 0);
  if (how.group_by_length) group(how, rows);
  for (std::size_t at = 0; at < sentences; starts_.push_back(at)) {
    const int size = size_of(how, made++);
    at = how.batch_size > 0 ? std::min(at + static_cast<std::size_t>(size), sentences)
                            : filled(at, size, static_cast<std::size_t>(how.look_ahead), rows);
  }
}

/// Moves the sentences of the batch that begins at `at` to its front, and returns where the next batch begins.
ENTRAIN_INLINE std::size_t Budget::filled(std::size_t at, int budget, std::size_t look_ahead, Lengths length) {
  const std::size_t end = order_.size();
  int room = budget - length[order_[at++]];
  while (at < end && room > 0) {
    const int next = length[order_[at]], rest = room - next;
    std::size_t chosen = at;
    if (rest < 0) {
      chosen = longest_within(room, at + 1, look_ahead, length);
      if (chosen == end) break;
    } else if (at + 1 < end && length[order_[at + 1]] > rest) {  // the next one and one that fits with it, or another?
      const std::size_t with = longest_within(rest, at + 1, look_ahead, length);
      const int left = with == end ? rest : rest - length[order_[with]];
      const std::size_t other = left == 0 ? end : longest_within(room, at + 1, look_ahead, length);
      if (other != end && room - length[order_[other]] < left) chosen = other;
    }
    const auto here = order_.begin() + static_cast<std::ptrdiff_t>(at);
    std::rotate(here, here + static_cast<std::ptrdiff_t>(chosen - at),
                here + static_cast<std::ptrdiff_t>(chosen - at + 1));
    room -= length[order_[at++]];
  }
  return at;
}

/// The place of the longest sentence of at most `room` rows among `many` sentences from `from` on, the first of equals;
/// the end of the order, if no sentence is short enough.
ENTRAIN_INLINE std::size_t Budget::longest_within(int room, std::size_t from, std::size_t many, Lengths length) const {
  std::size_t found = order_.size();
  int longest = -1;
  for (std::size_t i = from, end = std::min(from + many, order_.size()); i < end && longest < room; ++i)
    if (const int n = length[order_[i]]; n <= room && n > longest) longest = n, found = i;
  return found;
}

/// Sorts by length, the longest first, within groups of at most 50 batches of the largest size. There are at least four
/// groups where that is possible. Sentences of equal length keep their order.
/// source   transformers 5.23, trainer_pt_utils.py, get_length_grouped_indices. There the longest sentence of all
///          comes first, so that memory runs out at once, if at all; here the memory plan reports this before step one.
ENTRAIN_INLINE void Budget::group(const Batching& how, Lengths length) {
  const auto weight = [&](std::uint32_t s) { return how.batch_size > 0 ? 1 : std::int64_t{length[s]}; };
  std::int64_t all = 0;
  for (const std::uint32_t s : order_) all += weight(s);
  const std::int64_t batch = std::max(how.largest(), 1), batches = std::clamp<std::int64_t>(all / (4 * batch), 1, 50);
  group_.reserve(order_.size());
  std::size_t at = 0;
  while (at < order_.size()) {
    group_.clear();
    for (std::int64_t sum = 0; at < order_.size() && sum < batches * batch; ++at) {
      sum += weight(order_[at]);
      group_.push_back({length[order_[at]], static_cast<std::uint32_t>(at), order_[at]});
    }
    std::sort(group_.begin(), group_.end(), [](const Placed& a, const Placed& b) {
      return a.length != b.length ? a.length > b.length : a.place < b.place;
    });
    std::transform(group_.begin(), group_.end(), order_.begin() + static_cast<std::ptrdiff_t>(at - group_.size()),
                   [](const Placed& p) { return p.sentence; });
  }
}

}  // namespace entrain::batch
