// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The file of a cache, being written or mapped. Any number of programs may write the same one at once, and be killed at
// any moment: the name stands for a whole file or for none, and what the killed left is swept up by the next.
#pragma once
#include <dirent.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/cache_layout.hpp"
#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/checkpoint/posix.hpp"
#include "entrain/core/error.hpp"
#include "entrain/core/fingerprint.hpp"

namespace entrain::train {

/// The system calls of a cache beside those of a model's folder, each answering as the system does.
struct CacheSystem : checkpoint::Posix {
  int create_shared(const std::string& path) const {  // to be written and read
    return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  int open_both(const std::string& path) const { return ::open(path.c_str(), O_RDWR | O_CLOEXEC); }
  ssize_t read_at(int fd, void* to, std::size_t bytes, std::uint64_t offset) const {
    return ::pread(fd, to, bytes, static_cast<off_t>(offset));
  }
  int wait_for_lock(int fd) const { return ::flock(fd, LOCK_EX); }
  /// 1: what is open stands under the path; 0: nothing does, or something else.
  int stands_at(int fd, const std::string& path) const {
    struct stat here {
    }, there{};
    if (::fstat(fd, &here) != 0) return -1;
    if (::stat(path.c_str(), &there) != 0) return errno == ENOENT ? 0 : -1;
    return here.st_dev == there.st_dev && here.st_ino == there.st_ino;
  }
  /// Of an open file.
  std::int64_t bytes_of(int fd) const {
    struct stat s {};
    return ::fstat(fd, &s) == 0 ? static_cast<std::int64_t>(s.st_size) : -1;
  }
  /// Pages that are written become the program's own; memory is not asked for before.
  void* map(int fd, std::size_t bytes) const {
    return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
  }
  void unmap(void* at, std::size_t bytes) const { ::munmap(at, bytes); }
  void advise(void* at, std::size_t bytes, int how) const { ::madvise(at, bytes, how); }
  int names(const std::string& folder, std::vector<std::string>& out) const {
    DIR* const open = ::opendir(folder.c_str());
    if (open == nullptr) return -1;
    while (const dirent* const entry = ::readdir(open)) out.emplace_back(entry->d_name);
    return ::closedir(open);
  }
};

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
    if (checkpoint::uninterrupted([&] { return system.lock(fd); }) == 0 && system.stands_at(fd, path) == 1)
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
    std::random_device draw;
    for (int attempt = 0; attempt < 100; ++attempt) {
      std::string name = path + std::string(cache_temporary.substr(cache_ending.size()));
      for (int i = 0; i < 16; ++i) name.push_back("0123456789abcdef"[draw() % 16]);
      fd_ = checkpoint::uninterrupted([&] { return system_.create_shared(name); });
      if (fd_ < 0 && errno == EEXIST) continue;
      if (fd_ < 0) checkpoint::detail::write_failed(path_, "create a file beside it", errno);
      temporary_ = std::move(name);
      // Who sweeps may have taken it before it was locked. Where there are no locks, nobody sweeps.
      const int locked = checkpoint::uninterrupted([&] { return system_.wait_for_lock(fd_); });
      if (locked != 0 || system_.stands_at(fd_, temporary_) == 1) return;
      remove();
      close();
    }
    checkpoint::detail::write_failed(path_, "keep a file beside it", EBUSY);
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

/// A cache being written: its arrays, in their order, then publish().
template <class System> class CacheFile {
 public:
  CacheFile(const std::string& path, System system) : file_(path, system) {
    const batch::CacheOpening opening;
    file_.write(std::as_bytes(std::span(&opening, 1)));
  }
  /// Opens the next array; numbers are added to it until the next one.
  void begin(std::size_t item_bytes) {
    end();
    static constexpr std::array<std::byte, batch::cache_alignment> zeros{};
    file_.write(std::span(zeros).first((zeros.size() - file_.size() % zeros.size()) % zeros.size()));
    array().offset = file_.size();
    array().item_bytes = item_bytes;
    sum_ = {};
    open_ = true;
  }
  template <class T> void add(std::span<const T> numbers) {
    array().items += numbers.size();
    add_bytes(std::as_bytes(numbers));
  }
  /// All that was written elsewhere.
  void add(const LockedFile<System>& numbers) {
    array().items += numbers.size() / array().item_bytes;
    numbers.each([&](std::span<const std::byte> bytes) { add_bytes(bytes); });
  }
  std::uint64_t size() const { return file_.size(); }
  const std::string& path() const { return file_.path(); }

  /// The numbers that no array has: key, cut, labels, twins.
  void publish(batch::CacheClosing numbers) {
    end();
    while (next_ < batch::cache_parts) begin(0), end();  // arrays that these features do not have
    numbers.arrays = arrays_;
    numbers.file_bytes = file_.size() + sizeof numbers;
    numbers.sum = batch::sum_of(numbers);
    file_.write(std::as_bytes(std::span(&numbers, 1)));
    file_.publish();
  }

 private:
  batch::CacheArray& array() { return arrays_[next_]; }
  void add_bytes(std::span<const std::byte> bytes) {
    sum_.add(bytes);
    file_.write(bytes);
  }
  void end() {
    if (!std::exchange(open_, false)) return;
    array().sum = sum_.value();
    ++next_;
  }

  LockedFile<System> file_;
  std::array<batch::CacheArray, batch::cache_parts> arrays_{};
  std::size_t next_ = 0;  // the array that is open, or the next one
  bool open_ = false;
  Fingerprint sum_;
};

/// The bytes of a file, mapped. Whoever keeps `memory` may read them, and write them without changing the file; that it
/// is removed or replaced changes nothing, but nobody may write into it in its place.
struct MappedFile {
  std::span<std::byte> bytes;
  std::shared_ptr<const void> memory;
};

/// throws    entrain.checkpoint.5: it cannot be opened     entrain.train.42: it cannot be mapped
template <class System> MappedFile map_file(const std::string& path, System system) {
  const auto failed = [&](std::string_view id, std::string_view action, std::string_view remedy) {
    const int code = errno;
    throw Error(id, path, "cannot " + std::string(action) + ": " + checkpoint::detail::system_words(code), {}, remedy);
  };
  const int fd = checkpoint::uninterrupted([&] { return system.open_read(path); });
  if (fd < 0) failed("entrain.checkpoint.5", "open", "check the path");
  struct Closer {
    System& system;
    int fd;
    ~Closer() { system.close(fd); }
  } closer{system, fd};
  const std::int64_t size = system.bytes_of(fd);
  if (size < 0) failed("entrain.checkpoint.5", "look at the file", "check the disk");
  if (size == 0) return {};
  const auto bytes = static_cast<std::size_t>(size);
  void* const at = system.map(fd, bytes);
  if (at == MAP_FAILED) failed("entrain.train.42", "map", "do without --cache, or keep it on a local disk");
  system.advise(at, bytes, MADV_SEQUENTIAL);  // it is looked at from end to end first
  return {{static_cast<std::byte*>(at), bytes}, std::shared_ptr<const void>(at, [system, bytes](const void* p) {
            system.unmap(const_cast<void*>(p), bytes);
          })};
}

}  // namespace entrain::train
