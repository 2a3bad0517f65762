// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The system calls that caches need in addition to those of a model's folder, as one policy, so that a test can make
// any of them fail. Read checkpoint/posix.hpp first.
#pragma once
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/checkpoint/folder_names.hpp"
#include "entrain/checkpoint/posix.hpp"
#include "entrain/core/error.hpp"

namespace entrain::train {

/// Every function returns what the system call returns.
struct CacheSystem : checkpoint::Posix {
  int create_shared(const std::string& path) const {  // to be written and read
    return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  int open_both(const std::string& path) const { return ::open(path.c_str(), O_RDWR | O_CLOEXEC); }
  ssize_t read_at(int fd, void* to, std::size_t bytes, std::uint64_t offset) const {
    return ::pread(fd, to, bytes, static_cast<off_t>(offset));
  }
  int wait_for_lock(int fd) const { return ::flock(fd, LOCK_EX); }
  /// The size of an open file.
  std::int64_t bytes_of(int fd) const {
    struct stat s {};
    return ::fstat(fd, &s) == 0 ? static_cast<std::int64_t>(s.st_size) : -1;
  }
  /// Written pages become the program's own; no memory is reserved before.
  void* map(int fd, std::size_t bytes) const {
    return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
  }
  void unmap(void* at, std::size_t bytes) const { ::munmap(at, bytes); }
  void advise(void* at, std::size_t bytes, int how) const { ::madvise(at, bytes, how); }
  int names(const std::string& folder, std::vector<std::string>& out) const {
    return checkpoint::add_names_in(folder, out) ? 0 : -1;
  }
};

/// Refuses a path with the name of a cache's file that is not a file: it is neither waited for nor replaced.
///
/// throws    entrain.train.51
inline void refuse_no_cache_file(const std::string& path, const checkpoint::FileInfo& there) {
  if (there.exists && !there.regular)
    throw Error("entrain.train.51", path, there.folder ? "a folder" : "a pipe or a device", "a cache file, or no file",
                "remove it, or name another folder");
}

}  // namespace entrain::train
