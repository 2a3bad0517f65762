// [text] > batch > embed > encode > head > optim > checkpoint
//
// The bytes of a file or of standard input, in order, so many at a time.
#pragma once
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "entrain/core/error.hpp"
#include "entrain/text/file.hpp"  // name_of, refuse_no_file

namespace entrain::text {

class ByteStream {
 public:
  ByteStream() = default;

  /// throws    entrain.text.1  no such file    .2  a directory    .3  cannot be opened
  static ByteStream open(const std::string& path) {
    if (path == "-") return ByteStream(stdin, "standard input", false);
    refuse_no_file(path);
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file) throw Error("entrain.text.3", path, std::string("cannot be opened: ") + std::strerror(errno));
    return ByteStream(file, path, true);
  }

  bool is_open() const { return file_ != nullptr; }

  /// Up to `count` bytes. Fewer only at the end.
  ///
  /// throws    entrain.text.3: cannot be read
  std::size_t read(char* to, std::size_t count) {
    const std::size_t got = std::fread(to, 1, count, file_.get());
    if (got < count && std::ferror(file_.get()))
      throw Error("entrain.text.3", name_, std::string("cannot be read: ") + std::strerror(errno));
    return got;
  }
  /// As if so many bytes were read.
  void skip(std::uint64_t count) {
    if (count == 0 || std::fseek(file_.get(), static_cast<long>(count), SEEK_CUR) == 0) return;
    char passed[1 << 12];  // a pipe
    while (count > 0) {
      const std::size_t got = read(passed, count < sizeof passed ? static_cast<std::size_t>(count) : sizeof passed);
      if (got == 0) return;
      count -= got;
    }
  }

 private:
  static void close(std::FILE* file) { std::fclose(file); }
  static void leave(std::FILE*) {}
  ByteStream(std::FILE* file, std::string name, bool ours)
      : file_(file, ours ? close : leave), name_(std::move(name)) {}

  std::unique_ptr<std::FILE, void (*)(std::FILE*)> file_{nullptr, leave};
  std::string name_;
};

}  // namespace entrain::text
