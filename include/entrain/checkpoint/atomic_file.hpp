// text > batch > embed > encode > head > optim > [checkpoint]
//
// A file that exists completely or not at all. The new content goes to a temporary file in the same folder, is flushed
// to the disk, and only then gets the name. A process that opens the path sees the old content or the new one, never
// half of it.
#pragma once
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "entrain/checkpoint/posix.hpp"
#include "entrain/core/error.hpp"  // Error

namespace entrain::checkpoint {

namespace detail {

inline std::string system_words(int code) { return std::generic_category().message(code); }

inline std::string_view write_remedy(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or save elsewhere";
    case EACCES:
    case EPERM:
    case EROFS:
      return "save to a writable folder";
    case ENOENT:
      return "create the folder first";
    case ENOTDIR:
      return "a part of the path is a file, not a folder";
    case EIO:
      return "check the disk";
    case EFBIG:
      return "raise the limit on the size of files (ulimit -f), or save elsewhere";
    default:
      return {};
  }
}

/// For a file that replaces the previous one when it is whole.
[[noreturn]] inline void write_failed(const std::string& path, std::string_view action, int code) {
  std::string remedy(write_remedy(code));
  if (code == ENOSPC || code == EDQUOT || code == EFBIG) remedy += "; the previous file is unchanged";
  throw Error("entrain.checkpoint.1", path, std::string("cannot ").append(action) + ": " + system_words(code), {},
              remedy);
}

inline std::string folder_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// The name of an open file, such as /dev/stdout or /proc/self/fd/3, that a path is or leads to by symbolic links; else
/// an empty one. A rename to such a path would replace a name, and not the file.
[[gnu::cold]] inline std::string name_of_open_file(std::string path) {
  constexpr int most_links = 40;  // as the system follows
  for (int i = 0; i < most_links; ++i) {
    if (path == "/dev/stdin" || path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
        path.starts_with("/proc/"))
      return path;
    std::error_code none;
    const std::string to = std::filesystem::read_symlink(path, none).string();
    if (none) return {};
    path = to.starts_with('/') ? to : folder_of(path) + "/" + to;
  }
  return {};
}

}  // namespace detail

/// An open folder: it makes renames in the folder durable, and excludes a second writer.
///
/// throws    entrain.checkpoint.1: the system refused to open the folder, with its words
template <class System = Posix> class OpenFolder {
 public:
  explicit OpenFolder(std::string path, System system = {}) : path_(std::move(path)), system_(system) {
    fd_ = uninterrupted([&] { return system_.open_folder(path_); });
    if (fd_ < 0) detail::write_failed(path_, "open the folder", errno);
  }
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
  ~OpenFolder() { system_.close(fd_); }

  /// Flushes the names in the folder. Some file systems cannot flush a folder; that is not a failure.
  /// throws    entrain.checkpoint.1: the system refused, with its words
  void sync() {
    if (uninterrupted([&] { return system_.sync(fd_); }) != 0 && errno != EINVAL && errno != ENOTSUP)
      throw Error("entrain.checkpoint.1", path_, "cannot flush the folder: " + detail::system_words(errno), {},
                  "the saved files may not survive a power failure: check the disk and save again");
  }

  /// True: no other process holds the folder until this object is destroyed. False: this file system has no locks. A
  /// reader may hold it for a moment (at_rest); lock() waits for it.
  /// throws    entrain.checkpoint.3: another process is saving into this folder
  bool lock() {
    constexpr int tries = 50;
    for (int i = 0; i < tries; ++i) {
      if (uninterrupted([&] { return system_.lock(fd_); }) == 0) return true;
      if (errno != EWOULDBLOCK) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    throw Error("entrain.checkpoint.3", path_, "another process is saving into this folder", "one at a time",
                "wait for it, or save to another folder");
  }

  /// True: no save into the folder is in progress, and none begins until this object is destroyed. False: one is in
  /// progress. Nothing: this file system has no locks.
  std::optional<bool> at_rest() {
    if (uninterrupted([&] { return system_.lock_shared(fd_); }) == 0) return true;
    if (errno == EWOULDBLOCK) return false;
    return std::nullopt;
  }

 private:
  std::string path_;
  System system_;
  int fd_ = -1;
};

/// The name of the temporary file. unique: `path.tmp0`, `path.tmp1`, ..., the first free one. replace: `path.tmp`; a
/// file left by an earlier kill is replaced (only for a caller that holds the folder's lock). A program holds a lock on
/// its unique file, so that the next writer of the path removes those of killed programs.
enum class Temporary { unique, replace };

/// A file while it is written. Nothing appears under `path` before publish(); an earlier destructor removes the
/// temporary file.
///
///   AtomicFile file("out/model.safetensors");
///   file.write(header); file.write(data);
///   file.commit();
///
/// A path that is a symbolic link becomes a regular file. Permissions of a replaced file are kept.
/// throws    entrain.checkpoint.1: the system refused (full, read-only, no such folder), with its words
///           entrain.checkpoint.2: the path is a folder, a device, or a name such as /dev/stdout
///           entrain.checkpoint.4: too many temporary files of killed programs exist
template <class System = Posix> class AtomicFile {
 public:
  explicit AtomicFile(std::string path, System system = {}, Temporary kind = Temporary::unique)
      : path_(std::move(path)), system_(system) {
    FileInfo old;
    if (system_.info(path_, old) != 0) detail::write_failed(path_, "stat the file", errno);
    if (old.exists && (!old.regular || !detail::name_of_open_file(path_).empty()))
      throw Error("entrain.checkpoint.2", path_, old.folder ? "a folder" : "not a regular file", "a file to write",
                  "give a file name");
    kind == Temporary::unique ? create_unique(old.mode) : create_over_leftover(old.mode);
  }
  AtomicFile(AtomicFile&& other) noexcept
      : path_(std::move(other.path_)),
        temporary_(std::exchange(other.temporary_, {})),
        system_(other.system_),
        fd_(std::exchange(other.fd_, -1)),
        lock_(std::exchange(other.lock_, -1)) {}
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile() {
    if (fd_ >= 0) system_.close(fd_);
    if (!temporary_.empty()) system_.remove(temporary_);
    unlock();
  }

  const std::string& path() const { return path_; }
  /// The file that holds the content so far; empty after publish().
  const std::string& temporary() const { return temporary_; }

  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const auto done = uninterrupted([&] { return system_.write(fd_, bytes.data(), bytes.size()); });
      if (done < 0) detail::write_failed(path_, "write", errno);
      if (done == 0) detail::write_failed(path_, "write", EIO);  // no progress and no error code: do not loop on it
      bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
  }
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  /// Call it when the content is complete: flushes it to the disk. It is still invisible.
  void finish() {
    if (uninterrupted([&] { return system_.sync(fd_); }) != 0) detail::write_failed(path_, "flush", errno);
    // Linux frees the descriptor even if close is interrupted: a second close could close another file.
    if (system_.close(std::exchange(fd_, -1)) != 0 && errno != EINTR) detail::write_failed(path_, "close", errno);
  }

  /// Gives the content its name. Durable once the folder is synced.
  void publish() {
    if (system_.rename(temporary_, path_) != 0) detail::write_failed(path_, "rename the temporary file", errno);
    temporary_.clear();
    unlock();
  }

  /// finish, publish, and flush the folder.
  void commit() {
    OpenFolder<System> folder(detail::folder_of(path_),
                              system_);  // opened first: an error occurs before the rename
    finish();
    publish();
    folder.sync();
  }

 private:
  static constexpr int most = 100;
  /// A simulated disk in a test has no other programs.
  static constexpr bool locks = requires(const System& system, const std::string& path) { system.has_path(0, path); };

  std::string unique(int n) const { return path_ + ".tmp" + std::to_string(n); }
  void create_unique(unsigned mode) {
    int n = 0;
    while (n < most && !create_locked(unique(n), mode)) ++n;
    if (n == most)
      throw Error("entrain.checkpoint.4", path_, "100 temporary files next to it", "fewer",
                  "remove those that no running program writes: " + path_ + ".tmp*");
    if constexpr (locks)
      for (FileInfo info; ++n < most && system_.info(unique(n), info) == 0 && info.exists;) sweep(unique(n));
  }
  /// False: another program uses the name.
  bool create_locked(const std::string& name, unsigned mode) {
    if constexpr (locks) {
      if (!create(name, mode) && !(sweep(name) && create(name, mode))) return false;
      lock_ = uninterrupted([&] { return system_.open_read(name); });
      // A sweeping program may have removed it before it was locked. Without locks, no program sweeps.
      if (lock_ < 0 || uninterrupted([&] { return system_.lock(lock_); }) == 0) {
        if (lock_ < 0 || system_.has_path(lock_, name) != 0) return true;
      } else if (errno != EWOULDBLOCK) {
        return true;
      }
      system_.close(std::exchange(fd_, -1));
      if constexpr (requires { system_.leave(temporary_); }) system_.leave(temporary_);
      temporary_.clear();  // it is already removed, and the name may belong to another program
      unlock();
      return false;
    } else {
      return create(name, mode);
    }
  }
  /// Removes the file of a killed program. False: a running one writes it, or it cannot be removed.
  bool sweep(const std::string& name) {
    FileInfo info;
    if (system_.info(name, info) != 0 || !info.regular) return false;
    const int fd = uninterrupted([&] { return system_.open_read(name); });
    if (fd < 0) return false;
    const bool mine = uninterrupted([&] { return system_.lock(fd); }) == 0 && system_.has_path(fd, name) == 1;
    const bool gone = mine && system_.remove(name) == 0;
    system_.close(fd);
    return gone;
  }
  void unlock() {
    if (lock_ >= 0) system_.close(std::exchange(lock_, -1));
  }
  void create_over_leftover(unsigned mode) {
    if (system_.remove(path_ + ".tmp") != 0 && errno != ENOENT) detail::write_failed(path_ + ".tmp", "remove", errno);
    if (!create(path_ + ".tmp", mode)) detail::write_failed(path_ + ".tmp", "create", EEXIST);
  }
  bool create(std::string name, unsigned mode) {
    fd_ = uninterrupted([&] { return system_.create(name, mode); });
    if (fd_ < 0 && errno == EEXIST) return false;
    if (fd_ < 0) detail::write_failed(path_, "create a file next to it", errno);
    temporary_ = std::move(name);
    return true;
  }

  std::string path_, temporary_;
  System system_;
  int fd_ = -1, lock_ = -1;
};

/// Writes a whole file: afterwards it has the old content or `text`, never a part of it.
template <class System = Posix> void write_file(const std::string& path, std::string_view text, System system = {}) {
  AtomicFile<System> file(path, system);
  file.write(text);
  file.commit();
}

}  // namespace entrain::checkpoint
