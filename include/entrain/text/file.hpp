// [text] > batch > embed > encode > head > optim > checkpoint
//
// A file, whole, in memory, or one sentence that says why not. Everything after this works on a string of bytes and
// needs no disk, so tests need none either.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/core/error.hpp"
#include "entrain/text/byte_stream.hpp"

namespace entrain::text {

/// Refuses bytes that are no text in UTF-8 or one of its cousins: any NUL byte, as in an archive, an image or UTF-16.
///
/// from      where in the file the bytes begin
/// throws    entrain.text.5 with the offset of the first NUL
inline void refuse_binary(std::string_view name, std::string_view bytes, std::uint64_t from = 0) {
  const std::size_t nul = bytes.find('\0');
  if (nul == std::string_view::npos) return;
  const bool array = from == 0 && bytes.starts_with("\x93NUMPY");
  const bool utf16 = bytes.substr(0, 2) == "\xFF\xFE" || bytes.substr(0, 2) == "\xFE\xFF";
  throw Error("entrain.text.5", name,
              "a NUL byte at offset " + std::to_string(from + nul) + (utf16 ? ", UTF-16 text" : ""), "text in UTF-8",
              utf16   ? "convert it with iconv -f UTF-16 -t UTF-8"
              : array ? "this looks like an array that numpy.save wrote: check and convert read it with "
                        "--input-format npy"
                      : "this looks like a binary file");
}

/// bytes     from a file's beginning, a line at least
inline bool ends_lines_in_cr_alone(std::string_view bytes) {
  const std::size_t cr = bytes.find('\r');
  return cr != std::string_view::npos && cr + 1 < bytes.size() && bytes.find('\n') == std::string_view::npos;
}
/// throws    entrain.text.10
inline void refuse_cr_alone(std::string_view name, std::string_view bytes) {
  if (ends_lines_in_cr_alone(bytes))
    throw Error("entrain.text.10", name, "line ends are CR alone", "LF or CR LF", "convert them: tr '\\r' '\\n'");
}

/// The whole of a text file, packed by gzip or zstd or plain, or of standard input for "-".
///
/// throws    entrain.text.1  no such file                  entrain.text.2  a directory
///           entrain.text.3  cannot be opened or read      entrain.text.4  nothing in it
///           entrain.text.5  binary (see refuse_binary)    entrain.text.33 to .35 as ByteStream::read
inline std::string read_file(const std::string& path) {
  ByteStream stream = ByteStream::open(path);
  std::string bytes;
  if (const std::int64_t size = stream.size(); size > 0) bytes.reserve(static_cast<std::size_t>(size) + 1);
  constexpr std::size_t chunk = std::size_t{1} << 18;
  for (std::size_t got = chunk; got == chunk;) {  // a short read is the end or an error, never a pause
    const std::size_t before = bytes.size();
    bytes.resize(before + chunk);
    got = stream.read(bytes.data() + before, chunk);
    bytes.resize(before + got);
  }
  if (bytes.empty()) throw Error("entrain.text.4", name_of(path), "nothing in it", "text");
  refuse_binary(name_of(path), bytes);
  return bytes;
}

}  // namespace entrain::text
