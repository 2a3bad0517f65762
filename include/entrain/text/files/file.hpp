// [text] > batch > embed > encode > head > optim > checkpoint
//
// Reads a whole file into memory, or throws an error that gives the reason in one sentence. All later code works on a
// string of bytes and needs no disk, so tests need none either.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/core/error.hpp"
#include "entrain/core/free_memory.hpp"
#include "entrain/text/files/byte_stream.hpp"

namespace entrain::text {

/// Refuses bytes that are not text in UTF-8 or a similar encoding: any NUL byte, as in an archive, an image or UTF-16.
///
/// from      where in the file the bytes begin
/// throws    entrain.text.5 with the offset of the first NUL
inline void refuse_binary(std::string_view name, std::string_view bytes, std::uint64_t from = 0) {
  const std::size_t nul = bytes.find('\0');
  if (nul == std::string_view::npos) return;
  const bool array = from == 0 && bytes.starts_with("\x93NUMPY");
  const bool utf16 = from == 0 && (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"));
  throw Error("entrain.text.5", name,
              "a NUL byte at offset " + std::to_string(from + nul) + (utf16 ? ", UTF-16 text" : ""), "text in UTF-8",
              utf16   ? "convert it with iconv -f UTF-16 -t UTF-8"
              : array ? "this looks like an array that numpy.save wrote: check and convert read it with "
                        "--input-format npy"
                      : "this looks like a binary file");
}

/// bytes     from a file's beginning, at least one line
inline bool ends_lines_in_cr_alone(std::string_view bytes) {
  const std::size_t cr = bytes.find('\r');
  return cr != std::string_view::npos && cr + 1 < bytes.size() && bytes.find('\n') == std::string_view::npos;
}
/// throws    entrain.text.10
inline void refuse_cr_alone(std::string_view name, std::string_view bytes) {
  if (ends_lines_in_cr_alone(bytes))
    throw Error("entrain.text.10", name, "lines end in CR only", "LF or CR LF", "convert them: tr '\\r' '\\n'");
}

/// Refuses to hold a file that is larger than the available memory: the system would kill the program.
///
/// bytes     to be allocated now              held    already allocated for the file
/// throws    entrain.text.45
inline void refuse_no_room(std::string_view name, std::uint64_t bytes, std::uint64_t held = 0) {
  constexpr std::uint64_t always = std::uint64_t{1} << 26;  // too little to query the machine
  if (bytes < always) return;
  const std::uint64_t free = free_memory();
  if (bytes <= free) return;
  const auto mib = [](std::uint64_t n) { return std::to_string(n >> 20) + " MiB"; };
  throw Error(
      "entrain.text.45", name,
      held > 0 ? "more than " + mib(held) + " of text to load into memory" : mib(bytes) + " to load into memory",
      "less than the " + mib(free) + " of free memory",
      "split it into smaller files; train reads files of any size with --stream");
}

/// Reads a whole text file, plain or compressed by gzip or zstd, or standard input for "-".
///
/// throws    entrain.text.1  no such file                  entrain.text.2  a directory
///           entrain.text.3  cannot be opened or read      entrain.text.4  nothing in it
///           entrain.text.5  binary (see refuse_binary)    entrain.text.33 to .35 as ByteStream::read
///           entrain.text.45 more than the available memory (see refuse_no_room)
inline std::string read_file(const std::string& path) {
  constexpr std::size_t chunk = std::size_t{1} << 18;
  ByteStream stream = ByteStream::open(path);
  std::string bytes;
  if (const std::int64_t size = stream.size(); size > 0) {
    refuse_no_room(name_of(path), static_cast<std::uint64_t>(size));
    bytes.reserve(static_cast<std::size_t>(size) + chunk);  // the end is found by a request for more
  }
  for (std::size_t got = chunk; got == chunk;) {  // a short read is the end or an error, never a pause
    const std::size_t before = bytes.size();
    // growth copies `before` bytes
    if (before + chunk > bytes.capacity()) refuse_no_room(name_of(path), before, before);
    bytes.resize(before + chunk);
    got = stream.read(bytes.data() + before, chunk);
    bytes.resize(before + got);
    refuse_binary(name_of(path), std::string_view(bytes).substr(before), before);  // before the rest is decompressed
  }
  if (bytes.empty()) throw Error("entrain.text.4", name_of(path), "empty", "text");
  return bytes;
}

}  // namespace entrain::text
