// tests > [fuzz]
//
// Any bytes as a file that has a path, in memory.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace entrain::fuzz {

/// The path of a file that holds these bytes until the next call.
inline const std::string& file_of(const std::uint8_t* data, std::size_t size) {
  static const int file = ::memfd_create("fuzz", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(size)) != 0 ||
      ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size))
    std::abort();
  return path;
}

}  // namespace entrain::fuzz
