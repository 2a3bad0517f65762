// text > batch > embed > encode > head > optim > [checkpoint]
//
// Reads a whole file into memory. It is not mapped: if a process shortens a mapped file, a bus error ends the program.
#pragma once
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "entrain/checkpoint/atomic_file.hpp"  // system_words
#include "entrain/checkpoint/posix.hpp"
#include "entrain/core/error.hpp"  // Error

namespace entrain::checkpoint {

/// Owned bytes; the start address is aligned for any number type.
class Bytes {
 public:
  Bytes() = default;
  explicit Bytes(std::size_t size) : data_(std::make_unique_for_overwrite<std::byte[]>(size)), size_(size) {}
  std::span<std::byte> span() { return {data_.get(), size_}; }
  std::span<const std::byte> span() const { return {data_.get(), size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_.get()), size_}; }

 private:
  std::unique_ptr<std::byte[]> data_;
  std::size_t size_ = 0;
};

/// Returns nothing if there is no such file.
///
/// throws    entrain.checkpoint.5: the system refused, with its words
///           entrain.checkpoint.6: a folder or a device
///           entrain.checkpoint.7: longer than `most` bytes
///           entrain.checkpoint.8: the file became shorter while it was read
template <class System = Posix>
std::optional<Bytes> read_file_if_there(const std::string& path,
                                        std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                                        System system = {}) {
  const auto failed = [&](std::string_view action, std::string_view remedy = {}) {
    const int code = errno;
    throw Error("entrain.checkpoint.5", path, std::string("cannot ").append(action) + ": " + detail::system_words(code),
                {}, remedy);
  };
  FileInfo info;
  const auto check = [&] {
    if (!info.regular)
      throw Error("entrain.checkpoint.6", path, info.folder ? "a folder" : "not a regular file", "a file to read");
    if (info.bytes > most)
      throw Error("entrain.checkpoint.7", path, std::to_string(info.bytes) + " bytes",
                  "at most " + std::to_string(most) + " bytes", "check that this is the intended file");
  };
  if (system.info(path, info) != 0) failed("stat the file");
  if (!info.exists) return std::nullopt;
  check();  // first: opening a FIFO would block the program

  const int fd = uninterrupted([&] { return system.open_read(path); });
  if (fd < 0 && errno == ENOENT) return std::nullopt;
  if (fd < 0) failed("open");
  const Closer<System> closer{system, fd};
  // Checks the open file: since the check of the path, another file may have replaced it.
  if (system.info_of(fd, info) != 0) failed("stat the file");
  check();

  Bytes bytes(static_cast<std::size_t>(info.bytes));
  for (auto rest = bytes.span(); !rest.empty();) {
    const auto got = uninterrupted([&] { return system.read(fd, rest.data(), rest.size()); });
    if (got < 0) failed("read", "check the disk");
    if (got == 0)
      throw Error("entrain.checkpoint.8", path,
                  "the file ended after " + std::to_string(bytes.span().size() - rest.size()) + " bytes",
                  std::to_string(info.bytes) + " bytes", "another process wrote to it during the read: read it again");
    rest = rest.subspan(static_cast<std::size_t>(got));
  }
  return bytes;
}

/// throws    the errors of read_file_if_there; entrain.checkpoint.5 if there is no such file
template <class System = Posix> Bytes read_file(const std::string& path,
                                                std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                                                System system = {}) {
  auto bytes = read_file_if_there(path, most, system);
  if (!bytes)
    throw Error("entrain.checkpoint.5", path, "cannot open: " + detail::system_words(ENOENT), {}, "check the path");
  return std::move(*bytes);
}

}  // namespace entrain::checkpoint
