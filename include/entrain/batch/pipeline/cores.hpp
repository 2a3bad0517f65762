// text > [batch] > embed > encode > head > optim > checkpoint
//
// The cores that the stages of a loader share: their number, and how many of them each stage keeps busy. Read
// tuning.hpp next.
#pragma once
#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace entrain::batch {

/// Cores that this program may run on.
inline int cores_here() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// Stages that share one Cores have together at most `count` threads that compute. A thread counts by the share of time
/// that it computes. A thread that sleeps or waits for a device hardly counts. A stage that is busy less than half of
/// the time does not keep a core from the others.
///
/// The stages enrol from the source outwards. When cores are short, the inner stages give way: a thread of the stage
/// around them then does their work.
class Cores {
 public:
  explicit Cores(int count = cores_here()) : count_(std::max(count, 1)) {}

  std::size_t enrol() {
    const std::lock_guard lock(mutex_);
    busy_.push_back(0);
    return busy_.size() - 1;
  }
  /// Sets how many cores the threads of a stage keep busy.
  void says(std::size_t stage, double cores) {
    const std::lock_guard lock(mutex_);
    busy_[stage] = cores;
  }
  /// Cores that the outer stages leave, and cores that all other stages leave; below 0 when there are more threads than
  /// cores.
  struct Left {
    double by_outer, by_all;
  };
  Left left(std::size_t stage) const {
    const std::lock_guard lock(mutex_);
    Left left{static_cast<double>(count_), static_cast<double>(count_)};
    for (std::size_t i = 0; i < busy_.size(); ++i) {
      if (i > stage) left.by_outer -= busy_[i];
      if (i != stage) left.by_all -= busy_[i];
    }
    return left;
  }
  int count() const { return count_; }

 private:
  int count_;
  mutable std::mutex mutex_;
  std::vector<double> busy_;  // by stage
};

}  // namespace entrain::batch
