// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of piece_trie.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/tokenizer/piece_trie.hpp"

namespace entrain::text {

ENTRAIN_INLINE PieceTrie::PieceTrie(std::vector<std::pair<std::string_view, std::int32_t>> pieces) {
  std::sort(pieces.begin(), pieces.end());
  // A node is a range of the sorted pieces with a common beginning; breadth first, so that siblings are adjacent.
  struct PieceRange {
    std::size_t begin, end, depth;
  };
  std::vector<PieceRange> nodes{{0, pieces.size(), 0}};
  label_.push_back(0);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    auto [at, end, depth] = nodes[n];
    const bool whole = at < end && pieces[at].first.size() == depth;
    piece_.push_back(whole ? pieces[at].second : no_piece);
    first_.push_back(static_cast<std::uint32_t>(nodes.size()));
    for (at += whole; at < end;) {
      const char byte = pieces[at].first[depth];
      std::size_t next = at;
      while (next < end && pieces[next].first[depth] == byte) ++next;
      nodes.push_back({at, next, depth + 1});
      label_.push_back(byte);
      at = next;
    }
  }
  first_.push_back(static_cast<std::uint32_t>(nodes.size()));
  for (std::uint32_t child = first_[0]; child < first_[1]; ++child)
    root_[static_cast<unsigned char>(label_[child])] = child;
}

}  // namespace entrain::text
