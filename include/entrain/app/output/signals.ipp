// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of signals.hpp.
#pragma once
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "entrain/app/output/signals.hpp"

namespace entrain::app {
namespace detail {

inline constexpr std::array<std::pair<int, std::string_view>, 3> ending_signals{
    {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}}};

}  // namespace detail

ENTRAIN_INLINE Signals::Signals() {
  ::sigemptyset(&taken_);
  bool any = false;
  for (const auto& [number, name] : detail::ending_signals) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL)
      continue;
    ::sigaddset(&taken_, number);
    any = true;
  }
  if (!any || ::pthread_sigmask(SIG_BLOCK, &taken_, &before_) != 0) return;
  ends_ = ::signalfd(-1, &taken_, SFD_CLOEXEC | SFD_NONBLOCK);
  wake_ = ::eventfd(0, EFD_CLOEXEC);
  pthread_attr_t attributes;
  if (ends_ >= 0 && wake_ >= 0 && ::pthread_attr_init(&attributes) == 0) {
    ::pthread_attr_setstacksize(&attributes, std::size_t{256} << 10);  // the address space may be limited
    watches_ = ::pthread_create(
                   &thread_, &attributes,
                   [](void* self) -> void* {
                     static_cast<Signals*>(self)->watch();
                     return nullptr;
                   },
                   this) == 0;
    ::pthread_attr_destroy(&attributes);
  }
  if (!watches_) ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

ENTRAIN_INLINE Signals::~Signals() {
  if (watches_) {
    const std::uint64_t one = 1;
    while (::write(wake_, &one, sizeof one) < 0 && errno == EINTR) {
    }
    ::pthread_join(thread_, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  for (const int fd : {ends_, wake_})
    if (fd >= 0) ::close(fd);
}

ENTRAIN_INLINE std::string Signals::name() const {
  for (const auto& [number, name] : detail::ending_signals)
    if (number == number_) return std::string(name);
  return {};
}

ENTRAIN_INLINE void Signals::leave_nothing_of(const std::string& path) {
  const detail::Held held(mutex_);
  paths_.push_back(path);
}
ENTRAIN_INLINE void Signals::leave(const std::string& path) {
  const detail::Held held(mutex_);
  forget(path);
}
ENTRAIN_INLINE void Signals::forget(const std::string& path) {
  const auto at = std::find(paths_.rbegin(), paths_.rend(), path);
  if (at != paths_.rend()) paths_.erase(std::next(at).base());
}

ENTRAIN_INLINE void Signals::act(Action action, std::string words) {
  const detail::Held held(mutex_);
  action_ = action;
  words_.swap(words);
}

/// The thread's function. It allocates nothing, so that it needs no memory of its own.
ENTRAIN_INLINE void Signals::watch() {
  for (;;) {
    std::array<pollfd, 2> either{pollfd{ends_, POLLIN, 0}, pollfd{wake_, POLLIN, 0}};
    if (::poll(either.data(), either.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    signalfd_siginfo one{};
    if (::read(ends_, &one, sizeof one) == static_cast<ssize_t>(sizeof one)) came(static_cast<int>(one.ssi_signo));
    if (either[1].revents != 0) return;
  }
}

ENTRAIN_INLINE void Signals::say(int number) {
  if (words_.empty()) return;
  const auto write = [](std::string_view text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); };
  if (::isatty(STDERR_FILENO) == 1) write("\n");  // ends the line of ^C or of a progress bar
  for (const auto& [one, name] : detail::ending_signals)
    if (one == number) write(name), write(": ");
  write(words_);
}

ENTRAIN_INLINE void Signals::came(int number) {
  int none = 0;
  const bool first = number_.compare_exchange_strong(none, number);
  {
    const detail::Held held(mutex_);
    if (first && action_ == Action::ask) {
      wanted_ = true;
      say(number);
      return;
    }
  }
  end(number);
}

ENTRAIN_INLINE void Signals::end(int number) {
  ::pthread_mutex_lock(&mutex_);  // never unlocked: no path may be added from now on
  for (auto path = paths_.rbegin(); path != paths_.rend(); ++path) std::remove(path->c_str());
  if (action_ == Action::say_and_exit) {
    say(number);
    ::_exit(128 + number);
  }
  ::pthread_sigmask(SIG_UNBLOCK, &taken_, nullptr);
  ::raise(number);
  ::_exit(128 + number);  // not reached: the signal ends the program
}

}  // namespace entrain::app
