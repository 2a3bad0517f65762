// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of beginning.hpp.
#pragma once
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string_view>
#include <utility>

#include "entrain/core/error.hpp"
#include "entrain/text/files/beginning.hpp"
#include "entrain/text/files/byte_stream.hpp"
#include "entrain/text/files/decompress.hpp"
#include "entrain/text/files/file_list.hpp"  // can_be_read_once

namespace entrain::text {
namespace detail {

/// The descriptor of a name that means an open descriptor; -1 for other names.
inline int descriptor_of(std::string_view file) {
  if (file == "-" || file == "/dev/stdin") return STDIN_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!file.starts_with(folder)) continue;
    int number = -1;
    const std::string_view digits = file.substr(folder.size());
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (fault == std::errc() && end == digits.data() + digits.size()) return number;
  }
  return -1;
}

struct Descriptor {
  int number;
  explicit Descriptor(int n) : number(n) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

/// The bytes that one call returns; negative: an error.
inline ssize_t read_once(int file, char* to, std::size_t count) {
  ssize_t got = 0;
  do got = ::read(file, to, count);
  while (got < 0 && errno == EINTR);
  return got;
}

/// The bytes that have arrived in a pipe; they stay in the pipe.
inline std::string arrived(int pipe, std::size_t most) {
  std::string bytes;
#if defined(__linux__)
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return bytes;
  const Descriptor out(ends[0]), in(ends[1]);
  ssize_t copied = 0;
  do copied = ::tee(pipe, in.number, most, 0);
  while (copied < 0 && errno == EINTR);
  if (copied <= 0) return bytes;
  bytes.resize(static_cast<std::size_t>(copied));
  const ssize_t got = read_once(out.number, bytes.data(), bytes.size());
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
#else
  static_cast<void>(pipe), static_cast<void>(most);
#endif
  return bytes;
}

/// The next bytes of an open file; its position stays unchanged.
inline std::string next_of(int file, std::size_t most) {
  std::string bytes;
  const off_t at = ::lseek(file, 0, SEEK_CUR);
  if (at < 0) return bytes;
  bytes.resize(most);
  std::size_t got = 0;
  for (ssize_t more = 1; got < most && more > 0;) {
    more = ::pread(file, bytes.data() + got, most - got, at + static_cast<off_t>(got));
    if (more < 0 && errno == EINTR)
      more = 1;
    else if (more > 0)
      got += static_cast<std::size_t>(more);
  }
  bytes.resize(got);
  return bytes;
}

/// Decompresses as far as whole frames or members are present. The file's reader reports broken data.
inline std::string decompressed(std::string_view compressed, Compression compression, const std::string& name,
                                std::size_t most) {
  std::string bytes(most, '\0');
  std::size_t got = 0;
  try {
    Decompressor decompress(compression, name);
    while (got < most && !compressed.empty()) {
      const std::size_t more = decompress(compressed, bytes.data() + got, most - got);
      if (more == 0 && compressed.empty()) break;
      got += more;
    }
  } catch (const Error&) {
  }
  bytes.resize(got);
  return bytes;
}

inline Beginning beginning_of_descriptor(int file, const std::string& name, std::size_t most) {
  struct stat about {};
  if (::fstat(file, &about) != 0) return {};
  const bool regular = S_ISREG(about.st_mode);
  if (!regular && !S_ISFIFO(about.st_mode)) return {};
  Beginning begin{regular ? next_of(file, most) : arrived(file, most), false};
  begin.whole = regular && begin.bytes.size() < most;
  if (const Compression compression = compression_of(begin.bytes); compression != Compression::none) {
    begin.bytes = decompressed(begin.bytes, compression, name, most);
    begin.whole = begin.whole && begin.bytes.size() < most;
  }
  return begin;
}

}  // namespace detail

ENTRAIN_INLINE Beginning beginning_of(const std::string& file, std::size_t most) {
  if (const int number = detail::descriptor_of(file); number >= 0 && (file == "-" || can_be_read_once(file)))
    return detail::beginning_of_descriptor(number, name_of(file), most);
  refuse_no_file(file);
  if (can_be_read_once(file)) return {};
  Beginning begin{std::string(most, '\0'), false};
  ByteStream stream = ByteStream::open(file);
  begin.bytes.resize(stream.read(begin.bytes.data(), most));
  begin.whole = begin.bytes.size() < most;
  return begin;
}

}  // namespace entrain::text
