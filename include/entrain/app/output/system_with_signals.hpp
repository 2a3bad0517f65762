// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The system calls of checkpoint/posix.hpp and train/state/cache_system.hpp, for files that a signal must not leave
// half written.
#pragma once
#include <string>

#include "entrain/app/output/signals.hpp"
#include "entrain/checkpoint/posix.hpp"

namespace entrain::app {

/// A signal that ends the program removes a created file, until it is renamed or removed.
///
/// Base      checkpoint::Posix or train::CacheSystem      signals   of the program; null if no signal is handled
template <class Base> struct SystemWithSignals : Base {
  explicit SystemWithSignals(Signals* signals) : signals_(signals) {}

  int create(const std::string& path, unsigned mode) const {
    return creating(path, [&] { return Base::create(path, mode); });
  }
  int create_shared(const std::string& path) const requires requires(const Base& base) { base.create_shared(path); }
  {
    return creating(path, [&] { return Base::create_shared(path); });
  }
  int rename(const std::string& from, const std::string& to) const {
    return leaving(from, [&] { return Base::rename(from, to); });
  }
  int remove(const std::string& path) const {
    return leaving(path, [&] { return Base::remove(path); });
  }
  /// For a file that was created and is gone: its name may be another program's.
  void leave(const std::string& path) const {
    if (signals_ != nullptr) signals_->leave(path);
  }

 private:
  /// A file that exists already belongs to another program, and stays.
  template <class Create> int creating(const std::string& path, Create&& create) const {
    return signals_ == nullptr ? create() : signals_->create(path, create);
  }
  template <class Move> int leaving(const std::string& path, Move&& move) const {
    return signals_ == nullptr ? move() : signals_->leave(path, move);
  }

  Signals* signals_;
};

}  // namespace entrain::app
