// text > batch > embed > encode > head > optim > [checkpoint]
//
// The system calls that saving and loading need, as one policy. Every function does one call and returns the system's
// result: -1 and errno. The callers take the policy as a template parameter, so that a test can fail any single call,
// or simulate a machine that loses power.
#pragma once
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace entrain::checkpoint {

/// The file at a path; links are followed.
struct FileInfo {
  bool exists = false, regular = false, folder = false;
  std::int64_t bytes = 0;
  std::int64_t changed = 0;  // last change of the content, in nanoseconds since 1970
  unsigned mode = 0666;      // permissions
};

/// The real system. A policy may have state, so the functions are members and the policy is passed by value.
struct Posix {
  int open_read(const std::string& path) const {  // without waiting for the writer of a pipe
    return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  }
  int open_folder(const std::string& path) const { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }
  int create(const std::string& path, unsigned mode) const {  // fails with EEXIST if the path exists
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  }
  ssize_t read(int fd, void* to, std::size_t bytes) const { return ::read(fd, to, bytes); }
  ssize_t write(int fd, const void* from, std::size_t bytes) const { return ::write(fd, from, bytes); }
  int sync(int fd) const { return ::fsync(fd); }
  int lock(int fd) const { return ::flock(fd, LOCK_EX | LOCK_NB); }  // released when fd is closed
  int lock_shared(int fd) const { return ::flock(fd, LOCK_SH | LOCK_NB); }
  /// 1: the open file has this path; 0: another file has it, or none.
  int has_path(int fd, const std::string& path) const {
    struct stat here {
    }, there{};
    if (::fstat(fd, &here) != 0) return -1;
    if (::stat(path.c_str(), &there) != 0) return errno == ENOENT ? 0 : -1;
    return here.st_dev == there.st_dev && here.st_ino == there.st_ino;
  }
  int close(int fd) const { return ::close(fd); }
  int rename(const std::string& from, const std::string& to) const { return std::rename(from.c_str(), to.c_str()); }
  int remove(const std::string& path) const { return ::unlink(path.c_str()); }
  int make_folder(const std::string& path) const { return ::mkdir(path.c_str(), 0777); }

  int info(const std::string& path, FileInfo& out) const {  // a missing file is a result, not a failure
    struct stat s {};
    out = {};
    if (::stat(path.c_str(), &s) != 0) return errno == ENOENT ? 0 : -1;
    out = info_in(s);
    return 0;
  }
  int info_of(int fd, FileInfo& out) const {  // of the open file, whatever its path names now
    struct stat s {};
    if (::fstat(fd, &s) != 0) return -1;
    out = info_in(s);
    return 0;
  }

 private:
  static FileInfo info_in(const struct stat& s) {
    return {.exists = true,
            .regular = S_ISREG(s.st_mode),
            .folder = S_ISDIR(s.st_mode),
            .bytes = static_cast<std::int64_t>(s.st_size),
            .changed = static_cast<std::int64_t>(s.st_mtim.tv_sec) * 1'000'000'000 + s.st_mtim.tv_nsec,
            .mode = static_cast<unsigned>(s.st_mode) & 0777U};
  }
};

/// Repeats a call while signals interrupt it.
template <class Call> auto uninterrupted(Call&& call) {
  auto answer = call();
  while (answer < 0 && errno == EINTR) answer = call();
  return answer;
}

/// Closes a file at the end of a scope.
template <class System> struct Closer {
  System& system;
  int fd;
  ~Closer() { system.close(fd); }
};

}  // namespace entrain::checkpoint
