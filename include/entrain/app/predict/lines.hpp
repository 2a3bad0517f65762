// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Reads a stream of text in blocks of whole lines, as they arrive: a user who types or pipes a line gets its answer
// before the next line is read.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/core/error.hpp"
#include "entrain/text/files/byte_stream.hpp"
#include "entrain/text/files/file.hpp"  // refuse_binary

namespace entrain::app {

/// `path`: "-" is standard input.
///
/// throws    entrain.text.1 no such file, .2 a directory, .3 cannot be opened or read, .4 nothing in it, .5 binary,
///           .33 to .35 compressed, as ByteStream   .30 a line longer than `longest`
class Lines {
 public:
  /// longest   bytes that a line may have, as a line is held in memory together with its words
  Lines(const std::string& path, std::size_t longest)
      : name_(text::name_of(path)), stream_(text::ByteStream::open(path)), longest_(longest) {}

  /// The next lines that have arrived, without waiting for more; false at the end. `block` is valid until the next
  /// call.
  ///
  /// before    number of lines returned so far
  bool next(std::string_view& block, std::uint64_t before) {
    bytes_.erase(0, given_);
    given_ = 0;
    constexpr std::size_t piece = 1 << 16;
    for (;;) {
      const std::size_t had = bytes_.size();
      if (had > longest_)
        throw Error("entrain.text.30", name_ + ":" + std::to_string(before + 1),
                    std::to_string(had) + " bytes without the end of a line", "at most " + std::to_string(longest_),
                    "each line is one text: split it into lines, for example with fold -s");
      bytes_.resize(had + piece);
      const std::size_t got = stream_.read_some(bytes_.data() + had, piece);
      bytes_.resize(had + got);
      const std::string_view fresh = std::string_view(bytes_).substr(had);
      text::refuse_binary(name_, fresh, total_);
      total_ += fresh.size();
      if (total_ == 0) throw Error("entrain.text.4", name_, "empty", "text");
      const std::size_t line_end = fresh.rfind('\n');  // the bytes before `fresh` contain no line end
      given_ = got == 0 ? bytes_.size() : line_end == fresh.npos ? 0 : had + line_end + 1;
      if (given_ == 0 && got > 0) continue;
      block = std::string_view(bytes_).substr(0, given_);
      if (first_ && block.starts_with("\xEF\xBB\xBF")) block.remove_prefix(3);  // skips a byte order mark
      first_ = false;
      return given_ > 0;
    }
  }

 private:
  std::string name_;
  text::ByteStream stream_;
  std::size_t longest_;
  std::string bytes_;
  std::size_t given_ = 0, total_ = 0;
  bool first_ = true;
};

}  // namespace entrain::app
