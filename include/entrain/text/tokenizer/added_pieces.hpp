// [text] > batch > embed > encode > head > optim > checkpoint
//
// Pieces that are searched in the unchanged text, before a tokenizer's own rules: [CLS], <mask>. Read piece_trie.hpp
// first; wordpiece.hpp and byte_bpe.hpp use them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/core/fields.hpp"
#include "entrain/text/tokenizer/piece_trie.hpp"
#include "entrain/text/unicode/unicode.hpp"  // is_space
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

struct AddedPiece {
  std::string text;
  std::int32_t id = 0;
  bool lstrip = false, rstrip = false;  // also takes the spaces before or after it
  bool single_word = false;             // only where no letter, digit or underscore is next to it
  bool normalized = false;              // searched after all that are not; WordPiece has none
};

/// Adds to the fields of a tokenizer's fingerprint what decides where these are found, and their ids.
ENTRAIN_INLINE void say_added(Fields& fields, const std::vector<AddedPiece>& added);

/// Finds the added pieces of a text, as the package tokenizers does.
class AddedPieces {
 public:
  AddedPieces() = default;
  /// Of two with one text, the later one counts. An empty text is never found.
  ENTRAIN_INLINE explicit AddedPieces(std::vector<AddedPiece> all);

  const std::vector<AddedPiece>& all() const noexcept { return all_; }  // the longest first

  /// Cuts a text at the added pieces in it, from left to right. Where two begin at one place, the longer is taken; if
  /// it may not be there (single_word), none that begins inside it is.
  ///
  /// from      the number of the text's first code point
  /// plain     plain(part, from) for the text between them, perhaps empty; returns the number after its last code point
  /// found     found(id, from, to): an added piece, and the code points [from, to) that it takes
  /// returns   the number after the text's last code point
  template <class Plain, class Found>
  std::uint32_t split(std::string_view text, std::uint32_t from, Plain&& plain, Found&& found) const {
    std::size_t at = 0;  // the text before it is cut
    for (std::size_t look = 0; (look = next_beginning(text, look)) < text.size();) {
      const AddedPiece* const piece = longest(text, look);
      if (piece == nullptr) {
        ++look;
        continue;
      }
      std::size_t begin = look, end = look + piece->text.size();
      look = end;
      if (piece->single_word && (touches_before(text, begin) || touches_after(text, end))) continue;
      if (piece->lstrip)
        while (begin > at && is_space(last_of(text.substr(at, begin - at)).cp))
          begin -= last_of(text.substr(at, begin - at)).bytes;
      if (piece->rstrip)
        while (end < text.size() && is_space(decode(text, end).cp)) end += decode(text, end).bytes;
      begin = std::max(begin, at);  // it begins in spaces that the piece before it took
      end = std::max(end, at);
      from = plain(text.substr(at, begin - at), from);
      const auto length = static_cast<std::uint32_t>(count_code_points(text.substr(begin, end - begin)));
      found(piece->id, from, from + length);
      from += length;
      at = end;
    }
    return plain(text.substr(at), from);
  }

 private:
  /// The code point at the end of a text; U+FFFD for a byte that ends none.
  static CodePoint last_of(std::string_view text) noexcept {
    std::size_t at = text.size() - 1;
    while (at > 0 && text.size() - at < 4 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    const CodePoint p = decode(text, at);
    return at + p.bytes == text.size() ? p : CodePoint{replacement, 1, false};
  }
  /// The first place from `at` on where a piece may begin, or the text's size.
  std::size_t next_beginning(std::string_view text, std::size_t at) const noexcept {
    if (first_bytes_.size() < 2)
      return first_bytes_.empty() ? text.size() : std::min(text.find(first_bytes_[0], at), text.size());
    while (at < text.size() && trie_.child(0, text[at]) == PieceTrie::nowhere) ++at;
    return at;
  }
  /// The longest added piece at `at`, or null.
  const AddedPiece* longest(std::string_view text, std::size_t at) const noexcept {
    const AddedPiece* best = nullptr;
    std::uint32_t node = 0;
    while (at < text.size() && (node = trie_.child(node, text[at++])) != PieceTrie::nowhere)
      if (const std::int32_t piece = trie_.piece(node); piece != PieceTrie::no_piece)
        best = &all_[static_cast<std::size_t>(piece)];
    return best;
  }
  ENTRAIN_INLINE static bool touches_before(std::string_view text, std::size_t begin);
  ENTRAIN_INLINE static bool touches_after(std::string_view text, std::size_t end);

  std::vector<AddedPiece> all_;
  PieceTrie trie_;           // of their places in all_
  std::string first_bytes_;  // of their texts
};

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/tokenizer/added_pieces.ipp"
#endif
