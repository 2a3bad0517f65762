// [text] > batch > embed > encode > head > optim > checkpoint
//
// The pieces of a vocabulary as a tree of bytes, in three arrays: the children of a node are adjacent, so a node needs
// no list of them. Read wordpiece.hpp for its use.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::text {

/// A tree that is searched byte by byte. Node 0 is its root.
///
/// memory    9 bytes a node: 1.0 MB for the 30,522 pieces of BERT
class PieceTrie {
 public:
  static constexpr std::uint32_t nowhere = 0;  // the root is never a child
  static constexpr std::int32_t no_piece = -1;
  static constexpr std::uint32_t few = 12;  // children; more are searched by memchr: 1.1 times as fast without a cache,
                                            // for WordPiece and Unigram (Zen 5)

  PieceTrie() = default;

  /// pieces    (text, id), distinct texts, none empty
  ENTRAIN_INLINE explicit PieceTrie(std::vector<std::pair<std::string_view, std::int32_t>> pieces);

  std::uint32_t child(std::uint32_t node, char byte) const noexcept {
    if (node == 0) return root_[static_cast<unsigned char>(byte)];
    const std::uint32_t begin = first_[node], end = first_[node + 1];
    if (end - begin > few) {
      const void* const found = std::memchr(label_.data() + begin, byte, end - begin);
      return found == nullptr ? nowhere : static_cast<std::uint32_t>(static_cast<const char*>(found) - label_.data());
    }
    for (std::uint32_t c = begin; c < end; ++c)
      if (label_[c] == byte) return c;
    return nowhere;
  }
  std::int32_t piece(std::uint32_t node) const noexcept { return piece_[node]; }

 private:
  std::vector<std::uint32_t> first_;  // [nodes + 1] first child
  std::vector<char> label_;           // [nodes] the byte of the edge to the node
  std::vector<std::int32_t> piece_;   // [nodes] the id that ends here, or no_piece
  std::array<std::uint32_t, 256> root_{};
};

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/tokenizer/piece_trie.ipp"
#endif
