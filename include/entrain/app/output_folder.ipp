// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of output_folder.hpp.
#pragma once
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "entrain/app/output.hpp"  // prepare_folder
#include "entrain/app/output_folder.hpp"
#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/core/error.hpp"

namespace entrain::app {

ENTRAIN_PART OutputFolder::OutputFolder(const std::string& path, Signals* signals)
    : signals_(signals), path_(path), lock_(path + "/training.lock") {
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::path at(path);
  if (!at.has_filename()) at = at.parent_path();  // of `m/`
  for (; !at.empty() && !fs::exists(fs::symlink_status(at, ignored)); at = at.parent_path())
    made_.insert(made_.begin(), at.string());
  try {
    if (signals_ != nullptr)
      for (const std::string& folder : made_) signals_->leave_nothing_of(folder);
    prepare_folder(path);
    take();
  } catch (...) {
    end();
    throw;
  }
}

ENTRAIN_PART OutputFolder::~OutputFolder() { end(); }

ENTRAIN_PART void OutputFolder::take() {
  while (!take_once()) {
  }
  if (signals_ != nullptr) signals_->leave_nothing_of(lock_);
  const std::string number = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd_, 0) == 0) (void)!::write(fd_, number.data(), number.size());  // for a message only
}

/// False: the file was another training's, which removed it meanwhile.
ENTRAIN_PART bool OutputFolder::take_once() {
  const checkpoint::Posix system;
  fd_ = checkpoint::uninterrupted([&] { return ::open(lock_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666); });
  if (fd_ < 0)
    throw Error("entrain.app.10", path_, "cannot save into it: " + checkpoint::detail::system_words(errno),
                "a folder to write to", checkpoint::detail::write_remedy(errno));
  if (checkpoint::uninterrupted([&] { return system.lock(fd_); }) != 0 && errno == EWOULDBLOCK) {
    std::array<char, 32> text{};
    const auto got = ::pread(fd_, text.data(), text.size() - 1, 0);
    std::string number(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    while (number.ends_with('\n')) number.pop_back();
    ::close(std::exchange(fd_, -1));
    throw Error("entrain.app.80", path_,
                "another training writes into it" + (number.empty() ? number : " (process " + number + ")"),
                "one training at a time", "wait for its end, or name another folder with --output");
  }
  if (system.has_path(fd_, lock_) != 0) return true;
  ::close(std::exchange(fd_, -1));
  return false;
}

ENTRAIN_PART void OutputFolder::end() {
  if (fd_ >= 0) {
    ::unlink(lock_.c_str());
    ::close(std::exchange(fd_, -1));
    if (signals_ != nullptr) signals_->leave(lock_);
  }
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) {
    ::rmdir(folder->c_str());  // fails if something is in it
    if (signals_ != nullptr) signals_->leave(*folder);
  }
  made_.clear();
}

}  // namespace entrain::app
