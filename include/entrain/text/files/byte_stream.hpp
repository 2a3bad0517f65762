// [text] > batch > embed > encode > head > optim > checkpoint
//
// Reads the bytes of a file or of standard input in order, a given number at a time; for a compressed file, the
// decompressed bytes. All readers of text use this stream.
#pragma once
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/files/decompress.hpp"

namespace entrain::text {

/// The name of a file in messages: its path, or "standard input" for "-".
inline std::string name_of(std::string_view path) { return path == "-" ? "standard input" : std::string(path); }

/// Refuses a path that cannot be read as a file.
///
/// throws    entrain.text.1 no such file, entrain.text.2 a directory
inline void refuse_no_file(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (status.type() == std::filesystem::file_type::not_found)
    throw Error("entrain.text.1", path, "no such file", {}, "check the path");
  if (std::filesystem::is_directory(status))
    throw Error("entrain.text.2", path, "a directory", "a file", "name one file in it");
}

/// Plain bytes go from the system directly into the caller's memory. The stream decompresses gzip and zstd while it
/// reads; it recognizes them by the first bytes, not by the name.
///
/// memory    none for plain files; for compressed ones 64 KiB and the memory of Decompressor
class ByteStream {
 public:
  ByteStream() = default;

  /// throws    entrain.text.1  no such file    .2  a directory    .3  cannot be opened
  static ByteStream open(const std::string& path) {
    if (path == "-") return ByteStream(STDIN_FILENO, name_of(path));
    refuse_no_file(path);
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw Error("entrain.text.3", path, std::string("cannot be opened: ") + std::strerror(errno));
    return ByteStream(file, path);
  }

  bool is_open() const { return file_.number >= 0; }

  /// Up to `count` bytes. Fewer only at the end.
  ///
  /// throws    entrain.text.3: cannot be read    .33: compressed, and this build cannot decompress it
  ///           .34: compressed, and broken       .35: compressed, and cut off
  std::size_t read(char* to, std::size_t count) {
    std::size_t got = 0;
    while (got < count) {
      const std::size_t more = read_some(to + got, count - got);
      if (more == 0) break;
      got += more;
    }
    return got;
  }

  /// The bytes that are available, up to `count` and 1 at least, without waiting for more; 0 at the end. throws as
  /// read()
  std::size_t read_some(char* to, std::size_t count) {
    if (!begun_) begin();
    if (count == 0) return 0;
    if (decompressor_) return decompress(to, count);
    if (compressed_.empty()) return read_file(to, count);
    const std::size_t got = compressed_.copy(to, count);  // bytes of a pipe that begin() read to see that it is plain
    compressed_.remove_prefix(got);
    return got;
  }

  /// Skips bytes as if they were read; returns how many there were. A plain file is skipped without reading it.
  std::uint64_t skip(std::uint64_t count) {
    if (count == 0) return 0;
    if (!begun_) begin();
    if (!decompressor_ && regular_) return seek(count);
    std::string passed(static_cast<std::size_t>(std::min<std::uint64_t>(count, buffer_bytes)), '\0');
    std::uint64_t done = 0;
    while (done < count) {
      const std::size_t want = static_cast<std::size_t>(std::min<std::uint64_t>(count - done, passed.size()));
      const std::size_t got = read(passed.data(), want);
      done += got;
      if (got < want) break;
    }
    return done;
  }

  /// The number of bytes of a plain file; -1 if it is unknown before the end.
  std::int64_t size() {
    if (!begun_) begin();
    struct stat about {};
    if (decompressor_ || !regular_ || ::fstat(file_.number, &about) != 0) return -1;
    return static_cast<std::int64_t>(about.st_size);
  }

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 16;

  struct File {  // the last owner closes it; no owner closes standard input
    int number = -1;
    explicit File(int n = -1) : number(n) {}
    File(File&& other) noexcept : number(std::exchange(other.number, -1)) {}
    File& operator=(File&& other) noexcept {
      std::swap(number, other.number);
      return *this;
    }
    ~File() {
      if (number > STDIN_FILENO) ::close(number);
    }
  };

  ByteStream(int file, std::string name) : file_(file), name_(std::move(name)) {}

  /// The bytes of the file as stored, still compressed; 0 at its end.
  std::size_t read_file(char* to, std::size_t count) {
    constexpr std::size_t most = std::size_t{1} << 30;  // some systems read no more in one call
    for (;;) {
      const auto got = ::read(file_.number, to, std::min(count, most));
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw Error("entrain.text.3", name_, std::string("cannot be read: ") + std::strerror(errno));
    }
  }

  /// Reads the first bytes to recognize a compressed file.
  void begin() {
    begun_ = true;
    struct stat about {};
    regular_ = ::fstat(file_.number, &about) == 0 && S_ISREG(about.st_mode);
    buffer_.resize(compression_bytes);
    std::size_t got = 0;
    do {  // waits for more input after a letter that may begin a compressed file
      const std::size_t more = read_file(buffer_.data() + got, compression_bytes - got);
      if (more == 0) break;
      got += more;
      compressed_ = {buffer_.data(), got};
    } while (may_be_compressed(compressed_));
    if (const Compression compression = compression_of(compressed_); compression != Compression::none) {
      decompressor_ = Decompressor(compression, name_);
    } else if (regular_ && ::lseek(file_.number, -static_cast<off_t>(got), SEEK_CUR) >= 0) {
      compressed_ = {};
    }
  }

  std::size_t decompress(char* to, std::size_t count) {
    for (;;) {
      const std::size_t got = decompressor_(compressed_, to, count);
      if (got > 0) return got;
      if (!compressed_.empty()) continue;
      buffer_.resize(buffer_bytes);
      compressed_ = {buffer_.data(), read_file(buffer_.data(), buffer_bytes)};
      if (!compressed_.empty()) continue;
      decompressor_.end();
      return 0;
    }
  }

  std::uint64_t seek(std::uint64_t count) {
    struct stat about {};
    const off_t at = ::lseek(file_.number, 0, SEEK_CUR);
    if (at < 0 || ::fstat(file_.number, &about) != 0)
      throw Error("entrain.text.3", name_, std::string("cannot be read: ") + std::strerror(errno));
    const std::uint64_t left = about.st_size > at ? static_cast<std::uint64_t>(about.st_size - at) : 0;
    const std::uint64_t step = std::min(count, left);
    ::lseek(file_.number, static_cast<off_t>(step), SEEK_CUR);
    return step;
  }

  File file_;
  std::string name_;
  bool begun_ = false, regular_ = false;
  Decompressor decompressor_;    // of a compressed file
  std::vector<char> buffer_;     // of its bytes
  std::string_view compressed_;  // bytes of it that are not yet decompressed
};

}  // namespace entrain::text
