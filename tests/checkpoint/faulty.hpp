// tests > [checkpoint]: the real system with one planted fault: call number `at` (counted from 0) goes wrong.
#pragma once
#include <algorithm>
#include <memory>
#include <string>

#include "entrain/checkpoint/posix.hpp"

namespace test {

enum class Fault {
  none,
  no_space,     // the call fails with ENOSPC and does nothing
  io_error,     // the call fails with EIO and does nothing
  interrupted,  // the call fails once with EINTR: no caller should notice
  half,         // a write or read does half of what it was asked; any other call works
  killed        // this call and all later ones do nothing: the program is dead
};

/// Copies share the count.
class Faulty {
 public:
  Faulty(Fault fault, int at) : state_(std::make_shared<State>(State{fault, at, 0})) {}
  int calls() const { return state_->count; }

  int open_read(const std::string& p) const { return hit() ? -1 : real_.open_read(p); }
  int open_folder(const std::string& p) const { return hit() ? -1 : real_.open_folder(p); }
  int create(const std::string& p, unsigned mode) const { return hit() ? -1 : real_.create(p, mode); }
  ssize_t read(int fd, void* to, std::size_t n) const { return hit() ? -1 : real_.read(fd, to, portion(n)); }
  ssize_t write(int fd, const void* from, std::size_t n) const {
    const bool dying = state_->fault == Fault::killed && state_->count == state_->at;
    if (dying) (void)!real_.write(fd, from, n / 2);  // a kill leaves half of it after
    return hit() ? -1 : real_.write(fd, from, portion(n));
  }
  int sync(int) const { return hit() ? -1 : 0; }  // counted, not done: no test cuts the power, and disks are slow
  int lock(int fd) const { return hit() ? -1 : real_.lock(fd); }
  int lock_shared(int fd) const { return hit() ? -1 : real_.lock_shared(fd); }
  int has_path(int fd, const std::string& p) const { return hit() ? -1 : real_.has_path(fd, p); }
  int close(int fd) const {  // the descriptor goes back in any case, as on Linux
    const int answer = real_.close(fd);
    return hit() ? -1 : answer;
  }
  int rename(const std::string& a, const std::string& b) const { return hit() ? -1 : real_.rename(a, b); }
  int remove(const std::string& p) const { return hit() ? -1 : real_.remove(p); }
  int make_folder(const std::string& p) const { return hit() ? -1 : real_.make_folder(p); }
  int info(const std::string& p, entrain::checkpoint::FileInfo& out) const { return hit() ? -1 : real_.info(p, out); }
  int info_of(int fd, entrain::checkpoint::FileInfo& out) const { return hit() ? -1 : real_.info_of(fd, out); }

 protected:  // of a test with more calls
  struct State {
    Fault fault;
    int at, count;
  };
  bool hit() const {
    const int now = state_->count++;
    halve_ = state_->fault == Fault::half && now == state_->at;
    if (state_->fault == Fault::killed && now >= state_->at) return errno = EIO, true;
    if (now != state_->at) return false;
    switch (state_->fault) {
      case Fault::no_space:
        return errno = ENOSPC, true;
      case Fault::io_error:
        return errno = EIO, true;
      case Fault::interrupted:
        return errno = EINTR, true;
      default:
        return false;
    }
  }
  std::size_t portion(std::size_t n) const { return halve_ ? std::max<std::size_t>(1, n / 2) : n; }

  entrain::checkpoint::Posix real_;
  std::shared_ptr<State> state_;
  mutable bool halve_ = false;
};

}  // namespace test
