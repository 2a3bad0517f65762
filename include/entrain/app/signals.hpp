// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// What SIGINT (Ctrl-C), SIGTERM and SIGHUP do to a program: it ends, and no temporary file is left; a training is asked
// to stop after its step, and the second signal ends it. No handler and no global variable: the signals are blocked in
// all threads, and one thread waits for them.
#pragma once
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_PART

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

/// One of a program, made before its other threads, which inherit what is blocked. A signal that the program ignores
/// (as after `nohup`), or that its owner handles, is left as it is. Where the system gives no thread or no descriptor,
/// signals do what they do without this object.
class Signals {
 public:
  ENTRAIN_PART Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ENTRAIN_PART ~Signals();

  /// A signal removes what leave_nothing_of named, and ends the program as it would have ended without this object.
  void end_program() { act(Action::end, {}); }
  /// The same, after `words` on standard error, which may be empty; the exit code is 128 + the signal.
  void end_program(std::string words) { act(Action::say_and_exit, std::move(words)); }
  /// The first signal says `words` and sets wanted(); the second one does what end_program() says.
  void ask(std::string words) { act(Action::ask, std::move(words)); }

  /// Whether the training shall stop.
  const std::atomic<bool>& wanted() const { return wanted_; }
  /// SIGINT, SIGTERM or SIGHUP, whichever came; empty if none did.
  ENTRAIN_PART std::string name() const;
  /// 130, 143 or 129; 0 if none came.
  int exit_code() const { return number_ == 0 ? 0 : 128 + number_; }

  /// A file, or a folder that is empty then, to be removed when a signal ends the program.
  ENTRAIN_PART void leave_nothing_of(const std::string& path);
  /// The same of a file that create() makes and opens; of none where it returns -1. No signal comes between.
  template <class Create> int create(const std::string& path, Create&& create) {
    const detail::Held held(mutex_);
    paths_.reserve(paths_.size() + 1);
    std::string name = path;  // what can throw has done so before there is a file
    const int fd = create();
    if (fd >= 0) paths_.push_back(std::move(name));
    return fd;
  }
  /// It stays from now on.
  ENTRAIN_PART void leave(const std::string& path);
  /// The same of a file that move() renames or removes, if it returns 0. No signal comes between: the name may be
  /// another program's after move().
  template <class Move> int leave(const std::string& path, Move&& move) {
    const detail::Held held(mutex_);
    const int result = move();
    if (result == 0) forget(path);
    return result;
  }
  /// No signal ends the program while work() runs; one that comes then ends it afterwards. For files that work() makes
  /// and removes. work() uses nothing of this object.
  template <class Work> void hold(Work&& work) {
    const detail::Held held(mutex_);
    work();
  }

 private:
  enum class Action { end, say_and_exit, ask };

  ENTRAIN_PART void act(Action action, std::string words);
  ENTRAIN_PART void watch();
  ENTRAIN_PART void forget(const std::string& path);
  void say(int number);
  void came(int number);
  [[noreturn]] void end(int number);

  sigset_t taken_{}, before_{};
  int ends_ = -1, wake_ = -1;  // descriptors: of the signals, and of the destructor
  bool watches_ = false;
  pthread_t thread_{};
  std::atomic<bool> wanted_{false};
  std::atomic<int> number_{0};
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;  // of what follows
  Action action_ = Action::end;
  std::string words_;
  std::vector<std::string> paths_;
};

/// Signals::hold, or work() alone where no signal is handled: signals is null.
template <class Work> void hold(Signals* signals, Work&& work) {
  if (signals != nullptr) return signals->hold(work);
  work();
}

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/signals.ipp"
#endif
