// text > [batch] > embed > encode > head > optim > checkpoint
//
// What an item costs: seconds of threads in which they computed, and in which they waited.
#pragma once
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

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

/// For how long the thread that made this was ready while its core was another's, by the system's own count (the second
/// number of schedstat). 0 where nobody counts: then that looks like waiting.
class RunDelay {
 public:
  RunDelay() : file_(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}
  RunDelay(const RunDelay&) = delete;
  RunDelay& operator=(const RunDelay&) = delete;
  ~RunDelay() {
    if (file_ >= 0) ::close(file_);
  }
  double seconds() const {
    char text[96];
    const auto n = file_ < 0 ? 0 : ::pread(file_, text, sizeof text - 1, 0);
    if (n <= 0) return 0;
    text[n] = 0;
    char* second = text;
    std::strtoull(text, &second, 10);
    return 1e-9 * static_cast<double>(std::strtoull(second, nullptr, 10));
  }

 private:
  int file_;
};

/// What the thread of `delay` did since this was made; nothing without one.
///
///   waiting = wall - CPU time - run delay
///
/// Without the last term a stage that computes on a busy machine would look like one that sleeps, and be given more
/// threads than there are cores.
class Stopwatch {
 public:
  explicit Stopwatch(const RunDelay* delay) : of_(delay) {
    if (of_ == nullptr) return;
    begin_ = seconds_now();  // around the other clocks: the thread may lose its core between two of them
    delay_ = of_->seconds();
    cpu_ = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  }
  /// On the wall.
  double seconds() const { return of_ != nullptr ? seconds_now() - begin_ : 0; }
  /// So far it read.
  void has_read() { reading_ = seconds(); }
  Cost cost() const {
    if (of_ == nullptr) return {};
    const double cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu_, delay = of_->seconds() - delay_;
    const double wall = std::max(seconds(), 1e-9), waiting = wall - cpu - delay > a_switch ? wall - cpu - delay : 0;
    const double own = (cpu + waiting) / wall;
    return {reading_ * own, (wall - reading_) * own, waiting};
  }

 private:
  static constexpr double a_switch = 5e-6;  // seconds; who waits less than to be woken takes was asking clocks
  const RunDelay* of_;
  double delay_ = 0, cpu_ = 0, begin_ = 0, reading_ = 0;
};

}  // namespace entrain::batch
