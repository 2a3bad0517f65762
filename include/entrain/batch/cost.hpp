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

/// What the thread of `delay` did since this was made, but for pauses; nothing without one.
///
///   waiting = wall - CPU time - run delay
///
/// Without the last term a stage that computes on a busy machine would look like one that sleeps, and be given more
/// threads than there are cores. A pause is what an item costs only since threads share it: locks, and waking each
/// other. Counted, it would make cheap items dear as soon as there are threads, and keep the threads.
class Stopwatch {
 public:
  explicit Stopwatch(const RunDelay* delay) : of_(delay) {
    if (of_ != nullptr) spent_ = before_this();
  }
  /// On the wall. Not in a pause.
  double seconds() const { return of_ != nullptr ? seconds_now() - spent_.wall : 0; }
  /// So far it read.
  void has_read() { reading_ = seconds(); }
  void pause() {
    if (of_ != nullptr) paused_ = behind_that();
  }
  void go_on() {
    if (of_ != nullptr) spent_ += before_this() - paused_;
  }
  Cost cost() const {
    if (of_ == nullptr) return {};
    const Clocks c = behind_that() - spent_;
    const double wall = std::max(c.wall, 1e-9), rest = wall - c.cpu - c.delay, waiting = rest > a_switch ? rest : 0;
    const double own = (c.cpu + waiting) / wall;
    return {reading_ * own, (wall - reading_) * own, waiting};
  }

 private:
  static constexpr double a_switch = 5e-6;  // seconds; who waits less than to be woken takes was asking clocks

  struct Clocks {
    double delay = 0, wall = 0, cpu = 0;
    Clocks operator-(const Clocks& o) const { return {delay - o.delay, wall - o.wall, cpu - o.cpu}; }
    Clocks& operator+=(const Clocks& o) {
      delay += o.delay, wall += o.wall, cpu += o.cpu;
      return *this;
    }
  };
  // One around the other: a thread that loses its core between two of them has not waited. The slow one is outside.
  Clocks before_this() const {
    Clocks c;
    c.delay = of_->seconds();
    c.wall = seconds_now();
    c.cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    return c;
  }
  Clocks behind_that() const {
    Clocks c;
    c.cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    c.wall = seconds_now();
    c.delay = of_->seconds();
    return c;
  }

  const RunDelay* of_;
  Clocks spent_;   // before this was made, and in pauses
  Clocks paused_;  // then
  double reading_ = 0;
};

}  // namespace entrain::batch
