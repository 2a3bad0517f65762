// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The effect of SIGINT (Ctrl-C), SIGTERM and SIGHUP: the program ends and leaves no temporary file; a training is asked
// to stop after its step, and the second signal ends it. There is no handler and no global variable: the signals are
// blocked in all threads, and one thread waits for them.
#pragma once
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {
namespace detail {

class Held {
 public:
  explicit Held(pthread_mutex_t& mutex) : mutex_(mutex) { ::pthread_mutex_lock(&mutex_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { ::pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t& mutex_;
};

}  // namespace detail

/// One object per program, made before its other threads, which inherit the blocked signals. A signal that the program
/// ignores (as after `nohup`) or that its owner handles is left as it is. If the system gives no thread or no
/// descriptor, signals do what they do without this object.
class Signals {
 public:
  ENTRAIN_INLINE Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ENTRAIN_INLINE ~Signals();

  /// A signal removes the files that leave_nothing_of named, and ends the program as it would end without this object.
  void end_program() { act(Action::end, {}); }
  /// The same, after it prints `words` on standard error, if not empty; the exit code is 128 + the signal.
  void end_program(std::string words) { act(Action::say_and_exit, std::move(words)); }
  /// The first signal prints `words` and sets wanted(); the second one acts as after end_program().
  void ask(std::string words) { act(Action::ask, std::move(words)); }

  /// Whether the training has been asked to stop.
  const std::atomic<bool>& wanted() const { return wanted_; }
  /// The signal that came, SIGINT, SIGTERM or SIGHUP; empty if none came.
  ENTRAIN_INLINE std::string name() const;
  /// 130, 143 or 129; 0 if none came.
  int exit_code() const { return number_ == 0 ? 0 : 128 + number_; }

  /// Names a file, or a folder that is empty at that time, to be removed when a signal ends the program.
  ENTRAIN_INLINE void leave_nothing_of(const std::string& path);
  /// The same for a file that create() makes and opens; nothing is named if it returns -1. No signal acts in between.
  template <class Create> int create(const std::string& path, Create&& create) {
    const detail::Held held(mutex_);
    paths_.reserve(paths_.size() + 1);
    std::string name = path;  // anything that can throw has done so before the file exists
    const int fd = create();
    if (fd >= 0) paths_.push_back(std::move(name));
    return fd;
  }
  /// The file stays from now on.
  ENTRAIN_INLINE void leave(const std::string& path);
  /// The same for a file that move() renames or removes, if it returns 0. No signal acts in between: after move() the
  /// name may be another program's.
  template <class Move> int leave(const std::string& path, Move&& move) {
    const detail::Held held(mutex_);
    const int result = move();
    if (result == 0) forget(path);
    return result;
  }
  /// No signal ends the program while work() runs; a signal that comes at that time ends it afterwards. For files that
  /// work() makes and removes. work() must not use this object.
  template <class Work> void hold(Work&& work) {
    const detail::Held held(mutex_);
    work();
  }

 private:
  enum class Action { end, say_and_exit, ask };

  ENTRAIN_INLINE void act(Action action, std::string words);
  ENTRAIN_INLINE void watch();
  ENTRAIN_INLINE void forget(const std::string& path);
  void say(int number);
  void came(int number);
  [[noreturn]] void end(int number);

  sigset_t taken_{}, before_{};
  int ends_ = -1, wake_ = -1;  // descriptors: for the signals, and for the destructor
  bool watches_ = false;
  pthread_t thread_{};
  std::atomic<bool> wanted_{false};
  std::atomic<int> number_{0};
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;  // guards what follows
  Action action_ = Action::end;
  std::string words_;
  std::vector<std::string> paths_;
};

/// Signals::hold, or only work() if no signal is handled: signals is null.
template <class Work> void hold(Signals* signals, Work&& work) {
  if (signals != nullptr) return signals->hold(work);
  work();
}

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/output/signals.ipp"
#endif
