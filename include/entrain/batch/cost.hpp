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

/// Seconds for an item, of all threads that took part in it.
struct Cost {
  double reading = 0, working = 0;
  double waiting = 0;  // of these: asleep, or waiting for a disk or another thread
  double seconds() const { return reading + working; }
  double computing() const { return std::max(0.0, seconds() - waiting); }
  Cost& operator+=(const Cost& o) {
    reading += o.reading, working += o.working, waiting += o.waiting;
    return *this;
  }
  friend Cost operator*(Cost c, double items) { return {c.reading * items, c.working * items, c.waiting * items}; }
};

/// How long this thread has been at something, and how much of that it waited.
///
///   waiting = (wall - CPU time) * voluntary / (voluntary + involuntary switches of the thread)
///
/// A thread that never gives up its core is not waiting, however little of a busy machine it gets: without the factor a
/// stage that computes would look like one that sleeps, and be given more threads than there are cores.
class Stopwatch {
 public:
  explicit Stopwatch(bool on = true) : on_(on) {
    if (!on_) return;
    begin_ = seconds_now();
    cpu_ = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    switches(voluntary_, involuntary_);
  }
  /// 0 when it is not on.
  double seconds() const { return on_ ? seconds_now() - begin_ : 0; }
  double waiting() const {
    if (!on_) return 0;
    long voluntary = 0, involuntary = 0;
    switches(voluntary, involuntary);
    voluntary -= voluntary_, involuntary -= involuntary_;
    if (voluntary == 0) return 0;
    const double idle = std::max(0.0, seconds() - (seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu_));
    return idle * static_cast<double>(voluntary) / static_cast<double>(voluntary + involuntary);
  }

 private:
  static void switches(long& voluntary, long& involuntary) {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    voluntary = usage.ru_nvcsw, involuntary = usage.ru_nivcsw;
  }
  bool on_;
  double begin_ = 0, cpu_ = 0;
  long voluntary_ = 0, involuntary_ = 0;
};

}  // namespace entrain::batch
