// [text] > batch > embed > encode > head > optim > checkpoint
//
// Reads files, one after the other, in blocks of whole records, so that a corpus of any size needs the memory of a few
// blocks only, and another thread can parse each block.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/files/byte_finder.hpp"
#include "entrain/text/files/byte_stream.hpp"
#include "entrain/text/files/file.hpp"  // refuse_binary

namespace entrain::text {

/// Whole records, byte for byte as in the file.
struct Block {
  std::string bytes;
  std::uint64_t line = 1;  // of its first line
  std::uint32_t file = 0;  // index among the files
};

/// The position of a reader of files: the file of the next byte, and the number of bytes (of text if the file is
/// compressed) and lines before that byte in the file.
struct FileCursor {
  std::uint32_t file = 0;
  std::uint64_t offset = 0, line = 1;
  friend bool operator==(const FileCursor&, const FileCursor&) = default;
  /// f(number) for each
  static void each(auto& c, auto&& f) { f(c.file), f(c.offset), f(c.line); }
};

/// Record: defines where records end. The last three members are needed only if they differ from the values shown here.
///
///   std::size_t cut(std::string_view bytes)   the place after the last whole record; 0: none is whole. bytes: from
///                                             the beginning of a record on
///   bool begin(const std::string& name, std::string_view head, bool whole)   sees the beginning of a file before
///                                             anything of it is cut, also if reading resumes after it; false: it must
///                                             see more. whole: the file has no more
///   std::string_view unit, hint               "a sentence": the name of a record; advice for when one has no end
///   std::size_t longest                       bytes that a record may have: 1 GiB
template <class Record> class Blocks {
 public:
  /// block_bytes: size of a block, unless a record is longer, minus the incomplete record at its end
  explicit Blocks(std::vector<std::string> files, std::size_t block_bytes = std::size_t{1} << 18, Record record = {})
      : files_(std::move(files)), block_bytes_(std::max<std::size_t>(block_bytes, 1)), record_(std::move(record)) {
    for (const std::string& file : files_) regular_.push_back(is_regular(file));
  }

  /// The name of a file in messages.
  std::string name(std::uint32_t file) const { return name_of(files_[file]); }
  /// The Record, with its knowledge of the file of the latest block.
  const Record& record() const { return record_; }

  /// Opens nothing; the first read does.
  void start(const FileCursor& at) {
    at_ = at;
    stream_ = {};
    left_.clear();
  }
  /// The position before the block that read() returns next.
  FileCursor cursor() const { return at_; }

  /// Reads the next block; false: there is none. No block has lines of two files. The content of a block depends only
  /// on where it begins.
  ///
  /// throws    entrain.text.1 to .5 and .33 to .35 as read_file    .30: a record longer than Record::longest
  ///           .31: standard input, again                          .32: shorter than when the cursor was made, or no
  ///           longer a regular file: a pipe in its place would block
  bool read(Block& block) {
    for (; at_.file < files_.size(); at_ = {at_.file + 1, 0, 1}) {
      if (!stream_.is_open()) open();
      if (fill(block.bytes)) {
        block.line = at_.line;
        block.file = at_.file;
        at_.offset += block.bytes.size();
        at_.line += count_byte(block.bytes, '\n');
        return true;
      }
      if (at_.offset == 0) throw Error("entrain.text.4", name_of(files_[at_.file]), "empty", "text");
      stream_ = {};
    }
    return false;
  }

 private:
  static bool is_regular(const std::string& file) {
    std::error_code ignored;
    return file != "-" && std::filesystem::is_regular_file(file, ignored);
  }
  static bool is_something(const std::string& file) {
    std::error_code ignored;
    return std::filesystem::exists(file, ignored);
  }
  void open() {
    const std::string& file = files_[at_.file];
    if (file == "-" && std::exchange(drained_, true))
      throw Error("entrain.text.31", name_of(file), "already read, and not stored",
                  "files, which can be read more than once", "save it in a file, or train for one epoch");
    if (regular_[at_.file] && !is_regular(file) && is_something(file))
      throw Error("entrain.text.32", name_of(file), "now a pipe, a device or a folder",
                  "a regular file, as at the start", "the file has changed: start again");
    stream_ = ByteStream::open(file);
    std::uint64_t passed = 0;
    if constexpr (requires { record_.begin(file, std::string_view{}, true); }) passed = begin(name_of(file));
    if (at_.offset > passed) passed += stream_.skip(at_.offset - passed);
    if (at_.offset > passed)
      throw Error("entrain.text.32", name_of(file), "ends after byte " + std::to_string(passed),
                  "at least " + std::to_string(at_.offset) + " bytes, the position to resume from",
                  "the file has changed: start again");
  }

  /// Shows the record the beginning of the file. The bytes that are still to be read stay in left_.
  std::uint64_t begin(const std::string& name) {
    std::string head;
    for (std::size_t room = std::size_t{1} << 12;; room *= 2) {
      const std::size_t before = head.size();
      head.resize(room);
      head.resize(before + stream_.read(head.data() + before, room - before));
      refuse_binary(name, std::string_view(head).substr(before), before);
      if (record_.begin(name, head, head.size() < room)) break;
      if (room >= longest()) refuse_endless(name, room);
    }
    left_ = head.substr(static_cast<std::size_t>(std::min<std::uint64_t>(at_.offset, head.size())));
    return head.size();
  }

  /// Reads at least one whole record from here, independent of earlier reads; left_ keeps the rest for the next block.
  bool fill(std::string& bytes) {
    bytes.swap(left_);
    left_.clear();
    bool ended = false;
    for (std::size_t room = block_bytes_;; room *= 2) {
      if (const std::size_t before = bytes.size(); before < room) {
        bytes.resize(room);
        const std::size_t got = stream_.read(bytes.data() + before, room - before);
        bytes.resize(before + got);
        refuse_binary(name(at_.file), std::string_view(bytes).substr(before), at_.offset + before);
        ended = bytes.size() < room;
      }
      if (ended) return !bytes.empty();
      if (const std::size_t end = record_.cut(std::string_view(bytes).substr(0, room)); end > 0) {
        left_.assign(bytes, end);
        bytes.resize(end);
        return true;
      }
      if (room >= longest()) refuse_endless(name(at_.file) + ":" + std::to_string(at_.line), room);
    }
  }

  static constexpr std::size_t longest() {
    if constexpr (requires { Record::longest; })
      return Record::longest;
    else
      return std::size_t{1} << 30;
  }
  [[noreturn, gnu::cold]] void refuse_endless(const std::string& where, std::size_t bytes) const {
    std::string_view unit = "a sentence", hint = "check that this is a file of sentences";
    if constexpr (requires { record_.hint; }) unit = record_.unit, hint = record_.hint;
    throw Error("entrain.text.30", where, std::to_string(bytes) + " bytes without the end of " + std::string(unit),
                "at most " + std::to_string(longest()), hint);
  }

  std::vector<std::string> files_;
  std::vector<bool> regular_;  // at construction
  std::size_t block_bytes_;
  Record record_;
  FileCursor at_;
  ByteStream stream_;
  std::string left_;      // already read, but after the latest block
  bool drained_ = false;  // standard input was read to its end
};

}  // namespace entrain::text
