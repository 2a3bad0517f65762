// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of training_lock.hpp.
#pragma once
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "entrain/app/train/training_lock.hpp"
#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/core/error.hpp"

namespace entrain::app {
namespace detail {

[[noreturn]] inline void refuse_second_training(const std::string& of, const std::string& process,
                                                const std::string& otherwise) {
  throw Error("entrain.app.80", of,
              "another training is writing to it" + (process.empty() ? process : " (process " + process + ")"),
              "one training at a time", "wait until it ends, or " + otherwise);
}

}  // namespace detail

ENTRAIN_INLINE TrainingLock::TrainingLock(std::string file, const std::string& of, const std::string& otherwise,
                                          Signals* signals)
    : signals_(signals), file_(std::move(file)) {
  const auto take = [&] {
    while (!take_once(of, otherwise)) {
    }
    return fd_;
  };
  signals_ == nullptr ? take() : signals_->create(file_, take);
  const std::string number = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd_, 0) == 0) (void)!::write(fd_, number.data(), number.size());  // only for a message
}

/// False: the file belonged to another training, which removed it in the meantime.
ENTRAIN_INLINE bool TrainingLock::take_once(const std::string& of, const std::string& otherwise) {
  const checkpoint::Posix system;
  fd_ = checkpoint::uninterrupted([&] { return ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666); });
  if (fd_ < 0)
    throw Error("entrain.app.10", of, "cannot save into it: " + checkpoint::detail::system_words(errno),
                "a folder to write to", checkpoint::detail::write_remedy(errno));
  if (checkpoint::uninterrupted([&] { return system.lock(fd_); }) != 0 && errno == EWOULDBLOCK) {
    std::array<char, 32> text{};
    const auto got = ::pread(fd_, text.data(), text.size() - 1, 0);
    std::string number(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    while (number.ends_with('\n')) number.pop_back();
    ::close(std::exchange(fd_, -1));
    detail::refuse_second_training(of, number, otherwise);
  }
  if (system.has_path(fd_, file_) != 0) return true;
  ::close(std::exchange(fd_, -1));
  return false;
}

ENTRAIN_INLINE TrainingLock::~TrainingLock() {
  if (fd_ < 0) return;
  const auto remove = [&] { return ::unlink(file_.c_str()); };  // before it is unlocked
  signals_ == nullptr ? remove() : signals_->leave(file_, remove);
  ::close(fd_);
}

ENTRAIN_INLINE FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

ENTRAIN_INLINE void FileLock::take(const std::string& file, const std::string& of) {
  const checkpoint::Posix system;
  checkpoint::FileInfo there;
  if (system.info(file, there) != 0 || !there.regular) return;
  fd_ = checkpoint::uninterrupted([&] { return ::open(file.c_str(), O_WRONLY | O_CLOEXEC); });
  if (fd_ >= 0 && checkpoint::uninterrupted([&] { return system.lock(fd_); }) != 0 && errno == EWOULDBLOCK)
    detail::refuse_second_training(of, {}, "name another file");
}

}  // namespace entrain::app
