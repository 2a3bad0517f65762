// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// A file as memory: the system reads a page when it is used, and all programs share it.
#pragma once
#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "entrain/checkpoint/atomic_file.hpp"  // system_words
#include "entrain/checkpoint/posix.hpp"
#include "entrain/core/error.hpp"
#include "entrain/train/state/cache_system.hpp"

namespace entrain::train {

/// The bytes of a mapped file. An owner of `memory` may read them, and write them without changing the file. Removing
/// or replacing the file changes nothing, but no program may write into it in place.
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
  const checkpoint::Closer<System> closer{system, fd};
  const std::int64_t size = system.bytes_of(fd);
  if (size < 0) failed("entrain.checkpoint.5", "stat the file", "check the disk");
  if (size == 0) return {};
  const auto bytes = static_cast<std::size_t>(size);
  void* const at = system.map(fd, bytes);
  if (at == MAP_FAILED) failed("entrain.train.42", "map", "omit --cache, or put it on a local disk");
  system.advise(at, bytes, MADV_SEQUENTIAL);  // it is checked from beginning to end first
  return {{static_cast<std::byte*>(at), bytes}, std::shared_ptr<const void>(at, [system, bytes](const void* p) {
            system.unmap(const_cast<void*>(p), bytes);
          })};
}

}  // namespace entrain::train
