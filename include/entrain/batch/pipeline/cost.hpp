// text > [batch] > embed > encode > head > optim > checkpoint
//
// The cost of an item: seconds of threads in which they computed, and in which they waited.
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

/// Seconds of all threads that worked on an item, without the time in which another thread had their core.
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

/// How long the thread that made this was ready while another thread had its core, as the kernel counts it (the second
/// number of schedstat). 0 where the kernel does not count it: then this time looks like waiting.
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

/// Times of the thread of `delay` since this was made, without pauses; nothing if there is no `delay`.
///
///   waiting = wall - CPU time - run delay
///
/// Without the last term, a stage that computes on a busy machine would look like one that sleeps, and would get more
/// threads than there are cores. A pause is a cost that exists only because threads share the item: locks, and waking
/// each other. If pauses counted, cheap items would look expensive as soon as there are threads, and the threads would
/// be kept.
class Stopwatch {
 public:
  explicit Stopwatch(const RunDelay* delay) : of_(delay) {
    if (of_ != nullptr) spent_ = before_this();
  }
  /// Wall-clock seconds. Not to be called in a pause.
  double seconds() const { return of_ != nullptr ? seconds_now() - spent_.wall : 0; }
  /// The time until now was reading.
  void has_read() { reading_ = seconds(); }
  void pause() {
    if (of_ != nullptr) paused_ = clocks_of_paused();
  }
  void go_on() {
    if (of_ != nullptr) spent_ += before_this() - paused_;
  }
  Cost cost() const {
    if (of_ == nullptr) return {};
    const Clocks c = clocks_of_paused() - spent_;
    const double wall = std::max(c.wall, 1e-9), rest = wall - c.cpu - c.delay, waiting = rest > a_switch ? rest : 0;
    const double own = (c.cpu + waiting) / wall;
    return {reading_ * own, (wall - reading_) * own, waiting};
  }

 private:
  static constexpr double a_switch = 5e-6;  // seconds of a wake-up; a shorter wait is clock reading

  struct Clocks {
    double delay = 0, wall = 0, cpu = 0;
    Clocks operator-(const Clocks& o) const { return {delay - o.delay, wall - o.wall, cpu - o.cpu}; }
    Clocks& operator+=(const Clocks& o) {
      delay += o.delay, wall += o.wall, cpu += o.cpu;
      return *this;
    }
  };
  // The clock readings are nested: a thread that loses its core between two of them has not waited. The slow reading is
  // the outer one.
  Clocks before_this() const {
    Clocks c;
    c.delay = of_->seconds();
    c.wall = seconds_now();
    c.cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    return c;
  }
  Clocks clocks_of_paused() const {
    Clocks c;
    c.cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    c.wall = seconds_now();
    c.delay = of_->seconds();
    return c;
  }

  const RunDelay* of_;
  Clocks spent_;   // before this was made, and in pauses
  Clocks paused_;  // at pause()
  double reading_ = 0;
};

}  // namespace entrain::batch
