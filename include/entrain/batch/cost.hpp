// text > [batch] > embed > encode > head > optim > checkpoint
//
// What an item costs: seconds of threads in which they computed, and in which they waited.
#pragma once
#include <sys/resource.h>
#include <time.h>

#include <algorithm>

namespace entrain::batch {

/// Seconds of this thread, from one clock or the other.
inline double seconds_of(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
inline double seconds_now() { return seconds_of(CLOCK_MONOTONIC); }

/// Seconds that an item took of all threads that took part in it, without those in which their cores were another's.
struct Cost {
  double reading = 0, working = 0;
  double waiting = 0;  // of these: asleep, or for a disk or another thread
  double seconds() const { return reading + working; }
  double computing() const { return std::max(0.0, seconds() - waiting); }
  Cost& operator+=(const Cost& o) {
    reading += o.reading, working += o.working, waiting += o.waiting;
    return *this;
  }
  friend Cost operator*(Cost c, double items) { return {c.reading * items, c.working * items, c.waiting * items}; }
};

/// What this thread did since it was made.
///
///   waiting = (wall - CPU time) * voluntary / (voluntary + involuntary switches of the thread)
///
/// A thread that never gives up its core is not waiting, however little of a busy machine it gets: without the factor a
/// stage that computes would look like one that sleeps, and be given more threads than there are cores.
class Stopwatch {
 public:
  explicit Stopwatch(bool on = true) : on_(on) {
    if (!on_) return;
    switches(voluntary_, involuntary_);
    cpu_ = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    begin_ = seconds_now();
  }
  /// On the wall; 0 when it is not on.
  double seconds() const { return on_ ? seconds_now() - begin_ : 0; }
  /// So far it read.
  void has_read() { reading_ = seconds(); }
  Cost cost() const {
    if (!on_) return {};
    const double wall = std::max(seconds(), 1e-9);
    const double cpu = std::min(seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu_, wall);
    long voluntary = 0, involuntary = 0;
    switches(voluntary, involuntary);
    voluntary -= voluntary_, involuntary -= involuntary_;
    const double share = static_cast<double>(voluntary) / static_cast<double>(std::max(voluntary + involuntary, 1L));
    const double waiting = (wall - cpu) * share, own = cpu + waiting;
    return {reading_ * own / wall, (wall - reading_) * own / wall, waiting};
  }

 private:
  static void switches(long& voluntary, long& involuntary) {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    voluntary = usage.ru_nvcsw, involuntary = usage.ru_nivcsw;
  }
  bool on_;
  double begin_ = 0, cpu_ = 0, reading_ = 0;
  long voluntary_ = 0, involuntary_ = 0;
};

}  // namespace entrain::batch
