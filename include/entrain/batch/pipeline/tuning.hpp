// text > [batch] > embed > encode > head > optim > checkpoint
//
// Computes how many threads a stage needs, from the cost of an item and the rate at which items are taken. Only
// numbers: no thread, no clock. Read cost.hpp and cores.hpp first.
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>

#include "entrain/batch/pipeline/cores.hpp"
#include "entrain/batch/pipeline/cost.hpp"

namespace entrain::batch {

/// The mean of the values seen; of many values, of about the latest 32.
class RecentMean {
 public:
  void add(double x) { mean_ += (x - mean_) / (seen_ = std::min(seen_ + 1, 32)); }
  double mean() const { return mean_; }
  int seen() const { return seen_; }

 private:
  double mean_ = 0;
  int seen_ = 0;
};

/// What happened between two decisions.
struct MeasuredInterval {
  double seconds = 0;
  double items = 0;            // taken
  double waited_for_item = 0;  // seconds of the consumer
  double waited_for_room = 0;  // seconds of all threads, while the largest allowed number of items was begun
  double waited_for_turn = 0;  // while another thread read, or there was nothing to read
};

/// Little's law, and its limits.
///
///   threads = seconds an item costs / max(seconds between two that are taken, seconds it takes to read one)
///
/// One thread at a time reads an item: more threads than the law gives are of no use. Threads that compute share the
/// cores (Cores); there are at most `most_threads` threads that wait. While the consumer waits for items, there are
/// more threads than the law gives. If an item costs less than its hand-over, the consumer makes it, without a thread.
/// The cost of a hand-over depends on the machine. So for items that could be cheap, the rate with threads is compared
/// with the rate without.
class Tuning {
 public:
  static constexpr int most_threads = 64;
  // Seconds of two threads that a hand-over costs: a lower bound, and an upper bound, beyond which no comparison is
  // needed.
  static constexpr double hand_over = 10e-6, slow_hand_over = 64e-6;
  static constexpr double hungry = 0.02;  // share of its time that the consumer may wait
  static constexpr int patience = 4;      // decisions in a row for fewer threads, before there are fewer

  void item(const Cost& c) {
    if (++items_ == 2) reading_ = cost_ = computing_ = {};  // one-time work for the first item is no item's cost
    reading_.add(c.reading);
    cost_.add(c.seconds());
    computing_.add(c.seconds() > 0 ? c.computing() / c.seconds() : 1);
  }
  /// Adds the consumer's seconds between two items. Now and then it does something else, which should not count for
  /// long.
  void taker(double seconds) { taker_.add(taker_.seen() < 4 ? seconds : std::min(seconds, 8 * taker_.mean() + 1e-6)); }
  /// Whether the cost of items is known. One item is enough if it is long, since several long ones would take long.
  bool knows_items() const { return items_ >= 4 || cost_.mean() >= 1e-3; }
  bool knows_taker() const { return taker_.seen() > 0; }
  /// Seconds of an item; seconds of it that are not reading.
  double cost() const { return cost_.mean(); }
  double work() const { return std::max(0.0, cost_.mean() - reading_.mean()); }
  /// Cores that `threads` threads keep busy, or would without other load.
  double busy(int threads, const MeasuredInterval& w) const {
    if (w.seconds <= 0 || !knows_items()) return 0;
    return std::max(0.0, threads - (w.waited_for_room + w.waited_for_turn) / w.seconds) * computing_.mean();
  }

  /// How many threads, when there are `now`.
  int threads(int now, const MeasuredInterval& w, Cores::Left cores) {
    const bool waits = w.waited_for_item > hungry * w.seconds;
    slack_ = waits ? std::min(2.0, slack_ * 1.25) : std::max(1.1, slack_ * 0.98);
    const double cost = cost_.mean();
    if (cost < hand_over || alone(now, w)) return 0;
    const double each = std::max(computing_.mean(), 1e-9);  // share of a core, while the thread works
    const double law = slack_ * cost / std::max({taker_.mean(), reading_.mean(), 1e-9}) - 0.25;
    const int least = each <= cores.by_outer + 0.5 ? 1 : 0;
    // One more thread counts half a free core as a whole one; existing threads stay on less. Threads that compute do
    // not keep a stage that waits more than it computes from a thread.
    const double waiters = each < 0.5 ? 1 : 0;
    const int more = fit(std::max(std::round(cores.by_all), waiters), each);
    const int stay = std::min(now, fit(std::max(std::ceil(cores.by_all), waiters), each));
    const int want = std::clamp(at_most(std::ceil(law)), least, std::max(least, std::max(more, stay)));
    if (want >= now) lower_ = 0;
    if (want > now) return waits || now == 0 ? want : now;
    if (want == now || ++lower_ < patience) return now;
    return now - std::max(1, (now - want) / 2);
  }
  /// How many items may be begun, when the limit is `now`: two a thread, or enough that threads have two samples each.
  /// Doubled whenever the consumer waits for an item while threads wait for room: then items come unevenly. Up to four
  /// a thread; never reduced. samples: of an item that threads share; else 1.
  int depth(int now, int threads, int samples, const MeasuredInterval& w) const {
    const bool uneven = w.waited_for_item > hungry * w.seconds && w.waited_for_room > hungry * w.seconds;
    const int two = samples > 1 ? 2 * threads / samples + 2 : 2 * threads;
    return std::max({now, two, uneven ? std::min(2 * now, 4 * std::max(threads, 1)) : 0});
  }

 private:
  /// Whether threads, as far as is known, make it slower. Threads are tried again after a while, or when items cost
  /// more.
  bool alone(int now, const MeasuredInterval& w) {
    const double cost = cost_.mean();
    alone_for_ = cost > 2 * alone_cost_ ? 0 : alone_for_ - w.seconds;
    const bool settled = std::exchange(before_, now) == now;
    if (now > 0 && settled && w.items >= 16 && cost < slow_hand_over) {
      slower_ = w.seconds > 0.95 * w.items * (cost + taker_.mean()) ? slower_ + 1 : 0;
      if (slower_ == 0) try_after_ = 0.05;
      if (slower_ >= 3) {
        slower_ = 0;
        alone_cost_ = cost;
        alone_for_ = std::exchange(try_after_, std::min(2 * try_after_, 4.0));
      }
    }
    return alone_for_ > 0;
  }
  static int at_most(double threads) { return static_cast<int>(std::clamp(threads, 0.0, double{most_threads})); }
  static int fit(double cores, double each) { return at_most(std::floor(cores / std::max(each, 1e-9) + 1e-9)); }

  RecentMean reading_, cost_, taker_;
  RecentMean computing_;  // share of an item: one that waited long by chance counts as a single item
  double slack_ = 1.1;
  int items_ = 0;  // that were measured
  int lower_ = 0;  // decisions in a row for which fewer threads were enough
  // For a consumer that would be faster without threads.
  int before_ = 0, slower_ = 0;            // threads at the last decision; decisions in a row with a slower rate
  double alone_for_ = 0, alone_cost_ = 0;  // seconds for which it works without threads, at this cost
  double try_after_ = 0.05;                // the same seconds for the next time
};

}  // namespace entrain::batch
