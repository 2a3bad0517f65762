// [text] > batch > embed > encode > head > optim > checkpoint
//
// Files, one after the other, in blocks of whole records: so that a corpus of any size is read in the memory of a few
// blocks, and each of them can be parsed by another thread.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/byte_stream.hpp"
#include "entrain/text/file.hpp"  // refuse_binary

namespace entrain::text {

/// Whole records, as they stand in the file.
struct Block {
  std::string bytes;
  std::uint64_t line = 1;  // of its first line
  std::uint32_t file = 0;  // among the files
};

/// Where a reader of files stands: what comes next begins in this file, so many bytes (of text, when the file is
/// packed) and so many lines behind its beginning.
struct FileCursor {
  std::uint32_t file = 0;
  std::uint64_t offset = 0, line = 1;
  friend bool operator==(const FileCursor&, const FileCursor&) = default;
};

/// Record: where records end: `static std::size_t cut(std::string_view bytes)`, the place behind the last one that is
/// whole; 0: none is.
template <class Record> class Blocks {
 public:
  /// block_bytes: of a block, unless a record is longer, and but for what is left of a record
  explicit Blocks(std::vector<std::string> files, std::size_t block_bytes = std::size_t{1} << 18)
      : files_(std::move(files)), block_bytes_(block_bytes) {}

  /// What messages call a file.
  std::string name(std::uint32_t file) const { return name_of(files_[file]); }

  /// Nothing is opened before the first read.
  void start(const FileCursor& at) {
    at_ = at;
    stream_ = {};
    left_.clear();
  }
  /// Before the block that read() gives next.
  FileCursor cursor() const { return at_; }

  /// The next block; false: there is none. No block has lines of two files. What it holds hangs on its beginning alone.
  ///
  /// throws    entrain.text.1 to .5 as read_file    .30: a record longer than 1 GiB    .31: standard input, again
  bool read(Block& block) {
    for (; at_.file < files_.size(); at_ = {at_.file + 1, 0, 1}) {
      if (!stream_.is_open()) open();
      if (fill(block.bytes)) {
        block.line = at_.line;
        block.file = at_.file;
        at_.offset += block.bytes.size();
        at_.line += static_cast<std::uint64_t>(std::count(block.bytes.begin(), block.bytes.end(), '\n'));
        return true;
      }
      if (at_.offset == 0) throw Error("entrain.text.4", name_of(files_[at_.file]), "nothing in it", "text");
      stream_ = {};
    }
    return false;
  }

 private:
  void open() {
    const std::string& file = files_[at_.file];
    if (file == "-" && std::exchange(drained_, true))
      throw Error("entrain.text.31", name_of(file), "read before, and gone", "files, to go through them more than once",
                  "save it in a file, or train for one epoch");
    stream_ = ByteStream::open(file);
    stream_.skip(at_.offset);
  }

  /// So much from here on that a record is whole, whatever was read before; the rest is left for the next.
  bool fill(std::string& bytes) {
    constexpr std::size_t longest = std::size_t{1} << 30;
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
      if (const std::size_t end = Record::cut(std::string_view(bytes).substr(0, room)); end > 0) {
        left_.assign(bytes, end);
        bytes.resize(end);
        return true;
      }
      if (room > longest)
        throw Error("entrain.text.30", name(at_.file) + ":" + std::to_string(at_.line),
                    std::to_string(room) + " bytes without the end of a sentence", "less than 1 GiB",
                    "is this a file of sentences?");
    }
  }

  std::vector<std::string> files_;
  std::size_t block_bytes_;
  FileCursor at_;
  ByteStream stream_;
  std::string left_;      // read, but behind the latest block
  bool drained_ = false;  // standard input
};

}  // namespace entrain::text
