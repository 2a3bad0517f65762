// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// A file that is being written and does not have its final name. Any number of programs may write files for the same
// name, and be killed at any moment: the name always refers to a whole file or to none. The next program removes the
// files that a killed program left.
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
#include "entrain/train/state/cache_system.hpp"

namespace entrain::train {

/// The suffix of cache names. Files being written have the second suffix, followed by 16 random digits.
inline constexpr std::string_view cache_ending = ".entrain", cache_temporary = ".entrain.tmp-";

/// Removes unfinished files of ended programs from a folder: a running writer holds a lock on its file. Files that
/// cannot be removed are left. Returns how many were removed.
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

/// A new file in a folder, open for writing and reading, and locked while it is open.
template <class System> class LockedFile {
 public:
  /// path: the final path, for its name and for messages
  LockedFile(const std::string& path, System system) : path_(path), system_(system) {
    for (int attempt = 0; attempt < 100; ++attempt) {
      std::string name = path + std::string(cache_temporary.substr(cache_ending.size()));
      unsigned char drawn[16] = {};
      if (::getentropy(drawn, sizeof drawn) != 0)
        checkpoint::detail::write_failed(path_, "choose a temporary name next to it", errno);
      for (const unsigned char byte : drawn) name.push_back("0123456789abcdef"[byte % 16]);
      fd_ = checkpoint::uninterrupted([&] { return system_.create_shared(name); });
      if (fd_ < 0 && errno == EEXIST) continue;
      if (fd_ < 0) checkpoint::detail::write_failed(path_, "create a file next to it", errno);
      temporary_ = std::move(name);
      // Another program's sweep may have removed it before it was locked. Where there are no locks, no program sweeps.
      const int locked = checkpoint::uninterrupted([&] { return system_.wait_for_lock(fd_); });
      if (locked != 0 || system_.has_path(fd_, temporary_) == 1) return;
      remove();
      close();
    }
    checkpoint::detail::write_failed(path_, "lock a temporary file next to it", EBUSY);
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
  /// f(bytes), for all bytes that were written, in pieces.
  void each(auto&& f) const {
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(size_, std::uint64_t{1} << 20));
    const auto memory = std::make_unique<std::byte[]>(room);
    for (std::uint64_t at = 0; at < size_;) {
      const auto got = checkpoint::uninterrupted([&] { return system_.read_at(fd_, memory.get(), room, at); });
      if (got <= 0) checkpoint::detail::write_failed(path_, "read back the written data", got < 0 ? errno : EIO);
      f(std::span<const std::byte>(memory.get(), static_cast<std::size_t>(got)));
      at += static_cast<std::uint64_t>(got);
    }
  }
  std::uint64_t size() const { return size_; }

  /// Removes its name, so that nothing of it is left in any case.
  void remove() {
    if (!temporary_.empty()) system_.remove(std::exchange(temporary_, {}));
  }
  /// Writes all of it to the disk, under the path. A program that has opened the earlier file there keeps it.
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
