// [text] > batch > embed > encode > head > optim > checkpoint
//
// A file, whole, in memory, or one sentence that says why not. Everything after this works on a string of bytes and
// needs no disk, so tests need none either.
#pragma once
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "entrain/core/error.hpp"

namespace entrain::text {

/// What messages call a file: its path, or "standard input" for "-".
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

/// Refuses bytes that are no text in UTF-8 or one of its cousins: any NUL byte, as in an archive, an image or UTF-16.
///
/// from      where in the file the bytes begin
/// throws    entrain.text.5 with the offset of the first NUL
inline void refuse_binary(std::string_view name, std::string_view bytes, std::uint64_t from = 0) {
  const std::size_t nul = bytes.find('\0');
  if (nul == std::string_view::npos) return;
  const bool utf16 = bytes.substr(0, 2) == "\xFF\xFE" || bytes.substr(0, 2) == "\xFE\xFF";
  throw Error("entrain.text.5", name,
              "a NUL byte at offset " + std::to_string(from + nul) + (utf16 ? ", UTF-16 text" : ""), "text in UTF-8",
              utf16 ? "convert it with iconv -f UTF-16 -t UTF-8" : "this looks like a binary file");
}

/// The whole of a text file, or of standard input for "-".
///
/// throws    entrain.text.1  no such file                  entrain.text.2  a directory
///           entrain.text.3  cannot be opened or read      entrain.text.4  nothing in it
///           entrain.text.5  binary (see refuse_binary)
inline std::string read_file(const std::string& path) {
  const std::string name = name_of(path);
  std::string bytes;
  std::FILE* file = stdin;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> owner(nullptr, std::fclose);
  if (path != "-") {
    refuse_no_file(path);
    owner.reset(file = std::fopen(path.c_str(), "rb"));
    if (!file) throw Error("entrain.text.3", name, std::string("cannot be opened: ") + std::strerror(errno));
    std::error_code ignored;
    const auto size = std::filesystem::file_size(path, ignored);
    if (!ignored) bytes.reserve(static_cast<std::size_t>(size));
  }
  const std::size_t chunk = std::size_t{1} << 18;
  for (std::size_t got = chunk; got == chunk;) {  // a short read is the end or an error, never a pause
    const std::size_t before = bytes.size();
    bytes.resize(before + chunk);
    got = std::fread(bytes.data() + before, 1, chunk, file);
    bytes.resize(before + got);
  }
  if (std::ferror(file)) throw Error("entrain.text.3", name, std::string("cannot be read: ") + std::strerror(errno));
  if (bytes.empty()) throw Error("entrain.text.4", name, "nothing in it", "text");
  refuse_binary(name, bytes);
  return bytes;
}

}  // namespace entrain::text
