// text > [batch] > embed > encode > head > optim > checkpoint
//
// Which sentences stand in which batch: shuffled by a seed, then cut as batching.hpp says.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "entrain/batch/batching.hpp"
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

/// An epoch, or what of it is in memory, cut into batches. No sentence is dropped, repeated or padded. The same order
/// and the same lengths give the same batches.
///
/// A budget is filled in the order of the sentences. At the end of a batch the next `look_ahead` are searched for what
/// leaves the fewest rows empty, and the longest that fits is taken out of its place. A sentence that was passed over
/// is the first of the next batch, so none waits longer than that; one longer than the budget stands alone.
class Budget {
 public:
  /// The order: as it is, a given one, or shuffled. The same seed and epoch give the same one, whatever was drawn
  /// before.
  void in_order(std::size_t sentences) {
    order_.resize(sentences);
    std::iota(order_.begin(), order_.end(), 0u);
  }
  void in_the_order(std::span<const std::uint32_t> order) { order_.assign(order.begin(), order.end()); }
  void shuffled(std::size_t sentences, std::uint64_t seed, std::uint32_t epoch) {
    shuffle(order_, sentences, seed, epoch);
  }

  /// Cuts the order that was given last, once.
  ///
  /// length(s)   rows of sentence s             made   batches of the training before these
  template <class Length> void plan(const Batching& how, Length length, std::uint64_t made = 0) {
    const std::size_t sentences = order_.size();
    starts_.reserve(sentences + 1);  // so that no later epoch takes memory
    starts_.assign(1, 0);
    if (how.group_by_length) group(how, length);
    for (std::size_t at = 0; at < sentences; starts_.push_back(at)) {
      const int size = size_of(how, made++);
      at = how.batch_size > 0 ? std::min(at + static_cast<std::size_t>(size), sentences)
                              : filled(at, size, static_cast<std::size_t>(how.look_ahead), length);
    }
  }
  /// By a budget, and no sentence leaves its place: for who wants answers in the order of the questions.
  template <class Length> void plan(std::size_t sentences, int budget, Length length) {
    order_.resize(sentences);
    plan({.token_budget = budget, .look_ahead = 0}, length);
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

  /// Brings the sentences of a batch that begins at `at` to its front, and tells where the next one begins.
  template <class Length> std::size_t filled(std::size_t at, int budget, std::size_t look_ahead, const Length& length) {
    const std::size_t end = order_.size();
    int room = budget - length(order_[at++]);
    while (at < end && room > 0) {
      const int next = length(order_[at]), rest = room - next;
      std::size_t chosen = at;
      if (rest < 0) {
        chosen = longest_within(room, at + 1, look_ahead, length);
        if (chosen == end) break;
      } else if (at + 1 < end && length(order_[at + 1]) > rest) {  // the next one and what goes with it, or another?
        const std::size_t with = longest_within(rest, at + 1, look_ahead, length);
        const int left = with == end ? rest : rest - length(order_[with]);
        const std::size_t other = left == 0 ? end : longest_within(room, at + 1, look_ahead, length);
        if (other != end && room - length(order_[other]) < left) chosen = other;
      }
      const auto here = order_.begin() + static_cast<std::ptrdiff_t>(at);
      std::rotate(here, here + static_cast<std::ptrdiff_t>(chosen - at),
                  here + static_cast<std::ptrdiff_t>(chosen - at + 1));
      room -= length(order_[at++]);
    }
    return at;
  }

  /// The place of the longest sentence of at most `room` rows among so many from `from` on, the first of equals; the
  /// end of the order, if none is short enough.
  template <class Length>
  std::size_t longest_within(int room, std::size_t from, std::size_t many, const Length& length) const {
    std::size_t found = order_.size();
    int longest = -1;
    for (std::size_t i = from, end = std::min(from + many, order_.size()); i < end && longest < room; ++i)
      if (const int n = length(order_[i]); n <= room && n > longest) longest = n, found = i;
    return found;
  }

  /// Sorts by length, the longest first, within groups of at most 50 batches of the largest size, of which there are
  /// at least four where that is possible; equals keep their order.
  /// source   transformers 5.23, trainer_pt_utils.py, get_length_grouped_indices. There the longest sentence of all
  ///          comes first, so that memory runs out at once, if at all; here the plan of memory says so before step one.
  template <class Length> void group(const Batching& how, const Length& length) {
    const auto weight = [&](std::uint32_t s) { return how.batch_size > 0 ? 1 : std::int64_t{length(s)}; };
    std::int64_t all = 0;
    for (const std::uint32_t s : order_) all += weight(s);
    const std::int64_t batch = std::max(how.largest(), 1), batches = std::clamp<std::int64_t>(all / (4 * batch), 1, 50);
    group_.reserve(order_.size());
    std::size_t at = 0;
    while (at < order_.size()) {
      group_.clear();
      for (std::int64_t sum = 0; at < order_.size() && sum < batches * batch; ++at) {
        sum += weight(order_[at]);
        group_.push_back({length(order_[at]), static_cast<std::uint32_t>(at), order_[at]});
      }
      std::sort(group_.begin(), group_.end(), [](const Placed& a, const Placed& b) {
        return a.length != b.length ? a.length > b.length : a.place < b.place;
      });
      std::transform(group_.begin(), group_.end(), order_.begin() + static_cast<std::ptrdiff_t>(at - group_.size()),
                     [](const Placed& p) { return p.sentence; });
    }
  }

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
