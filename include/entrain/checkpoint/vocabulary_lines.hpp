// text > batch > embed > encode > head > optim > [checkpoint]
//
// The lines of a vocab.txt, as the package tokenizers reads them. Read tokenizer.hpp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

#include "entrain/text/unicode/unicode.hpp"  // is_space
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::checkpoint::detail {

/// The line of a vocab.txt at `at` without the spaces at its end, a carriage return among them. `at` moves to the next.
inline std::string_view next_piece(std::string_view text, std::size_t& at) {
  const std::size_t end = std::min(text.find('\n', at), text.size());
  std::string_view piece = text.substr(at, end - at);
  at = end + 1;
  while (!piece.empty()) {
    std::size_t last = piece.size() - 1;
    while (last > 0 && piece.size() - last < 4 && (static_cast<unsigned char>(piece[last]) & 0xC0) == 0x80) --last;
    const text::CodePoint p = text::decode(piece, last);
    if (last + p.bytes != piece.size() || !text::is_space(p.cp)) break;
    piece.remove_suffix(p.bytes);
  }
  return piece;
}

}  // namespace entrain::checkpoint::detail
