// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// A file that is being written and has no name of its own yet. Any number of programs may write what takes the same
// name, and be killed at any moment: the name stands for a whole file or for none, and what the killed left is swept up
// by the next.
#pragma once
#include <unistd.h>
#include <algorithm>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/checkpoint/posix.hpp"
#include "entrain/core/error.hpp"
#include "entrain/train/cache_system.hpp"

namespace entrain::train {

/// What names of caches end with, and behind it, before 16 digits drawn by chance, those of files that are being
/// written.
inline constexpr std::string_view cache_ending = ".entrain", cache_temporary = ".entrain.tmp-";

/// Removes what was being written in a folder by programs that are no more: whoever writes holds a lock on its file.
/// What cannot be removed stays. Returns how many went.
template <class System> int sweep_caches(const std::string& folder, System system) {
  std::vector<std::string> names;
  int swept = 0;
  if (system.names(folder, names) != 0) return 0;
  for (const std::string& name : names) {
    const auto at = name.rfind(cache_temporary);
    if (at == std::string::npos || name.size() != at + cache_temporary.size() + 16) continue;
    const std::string path = folder + "/" + name;
    const int fd = checkpoint::uninterrupted([&] { return system.open_both(path); });
    if (fd < 0) continue;
    if (checkpoint::uninterrupted([&] { return system.lock(fd); }) == 0 && system.has_path(fd, path) == 1)
      swept += system.remove(path) == 0;
    system.close(fd);
  }
  return swept;
}

/// A new file in a folder, open to be written and read, and locked for as long as it is open.
template <class System> class LockedFile {
 public:
  /// path: of what it is to become, for its name and for messages
  LockedFile(const std::string& path, System system) : path_(path), system_(system) {
    for (int attempt = 0; attempt < 100; ++attempt) {
      std::string name = path + std::string(cache_temporary.substr(cache_ending.size()));
      unsigned char drawn[16] = {};
      if (::getentropy(drawn, sizeof drawn) != 0)
        checkpoint::detail::write_failed(path_, "draw a name next to it", errno);
      for (const unsigned char byte : drawn) name.push_back("0123456789abcdef"[byte % 16]);
      fd_ = checkpoint::uninterrupted([&] { return system_.create_shared(name); });
      if (fd_ < 0 && errno == EEXIST) continue;
      if (fd_ < 0) checkpoint::detail::write_failed(path_, "create a file next to it", errno);
      temporary_ = std::move(name);
      // Who sweeps may have taken it before it was locked. Where there are no locks, nobody sweeps.
      const int locked = checkpoint::uninterrupted([&] { return system_.wait_for_lock(fd_); });
      if (locked != 0 || system_.has_path(fd_, temporary_) == 1) return;
      remove();
      close();
    }
    checkpoint::detail::write_failed(path_, "keep a file next to it", EBUSY);
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  ~LockedFile() {
    remove();
    close();
  }

  void write(std::span<const std::byte> bytes) {
    size_ += bytes.size();
    while (!bytes.empty()) {
      const auto done = checkpoint::uninterrupted([&] { return system_.write(fd_, bytes.data(), bytes.size()); });
      if (done < 0) checkpoint::detail::write_failed(path_, "write", errno);
      if (done == 0) checkpoint::detail::write_failed(path_, "write", EIO);  // no progress and no reason given
      bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
  }
  /// f(bytes), for all that was written, so much at a time.
  void each(auto&& f) const {
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(size_, std::uint64_t{1} << 20));
    const auto memory = std::make_unique<std::byte[]>(room);
    for (std::uint64_t at = 0; at < size_;) {
      const auto got = checkpoint::uninterrupted([&] { return system_.read_at(fd_, memory.get(), room, at); });
      if (got <= 0) checkpoint::detail::write_failed(path_, "read back what was written", got < 0 ? errno : EIO);
      f(std::span<const std::byte>(memory.get(), static_cast<std::size_t>(got)));
      at += static_cast<std::uint64_t>(got);
    }
  }
  std::uint64_t size() const { return size_; }

  /// It has no name from now on: whatever happens, nothing is left of it.
  void remove() {
    if (!temporary_.empty()) system_.remove(std::exchange(temporary_, {}));
  }
  /// All of it is on the disk, under the path. Whoever has what stood there before keeps it.
  void publish() {
    checkpoint::OpenFolder<System> folder(checkpoint::detail::folder_of(path_), system_);
    if (checkpoint::uninterrupted([&] { return system_.sync(fd_); }) != 0)
      checkpoint::detail::write_failed(path_, "flush", errno);
    if (system_.rename(temporary_, path_) != 0)
      checkpoint::detail::write_failed(path_, "rename the temporary file", errno);
    temporary_.clear();
    folder.sync();
  }
  const std::string& path() const { return path_; }

 private:
  void close() {
    if (fd_ >= 0) system_.close(std::exchange(fd_, -1));
  }
  std::string path_, temporary_;
  System system_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace entrain::train
