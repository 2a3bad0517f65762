// [text] > batch > embed > encode > head > optim > checkpoint
//
// What the sources of text have in common: they read their files a block at a time. Read blocks.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/corpus/corpus.hpp"  // Met
#include "entrain/text/files/blocks.hpp"
#include "entrain/text/unicode/utf8.hpp"  // byte_order_mark

namespace entrain::text {

/// A block, and the name of its file in messages.
struct NamedBlock {
  Block block;
  std::string name;
};

/// The base of a source: a stage (batch/pipeline/stage.hpp) that lacks only Item and work().
///
/// Record    as in Blocks
template <class Record> class BlockSource {
 public:
  using Cursor = FileCursor;
  using Raw = NamedBlock;

  void start(std::uint32_t, const FileCursor& at) { blocks_.start(at); }
  FileCursor cursor() const { return blocks_.cursor(); }

  /// throws    the errors of Blocks::read
  bool read(Raw& raw) {
    if (!blocks_.read(raw.block)) return false;
    raw.name = blocks_.name(raw.block.file);
    return true;
  }

 protected:
  BlockSource(std::vector<std::string> files, std::size_t block_bytes, Record record = {})
      : blocks_(std::move(files), block_bytes, std::move(record)) {}

  Blocks<Record> blocks_;
};

namespace detail {

/// The bytes of a block without the byte order mark of its file, which is counted.
inline std::string_view without_mark(const Block& block, Met& met) {
  std::string_view bytes = block.bytes;
  if (block.line == 1 && bytes.starts_with(byte_order_mark)) {
    bytes.remove_prefix(byte_order_mark.size());
    met.bom = 1;
  }
  return bytes;
}

}  // namespace detail
}  // namespace entrain::text
