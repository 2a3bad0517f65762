// [text] > batch > embed > encode > head > optim > checkpoint
//
// Pieces that are searched in the unchanged text, before a tokenizer's own rules: [CLS], <mask>. Read wordpiece.hpp for
// their use.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"           // ENTRAIN_INLINE
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

/// Finds the added pieces of a text.
class AddedPieces {
 public:
  AddedPieces() = default;
  ENTRAIN_INLINE explicit AddedPieces(std::vector<AddedPiece> all);

  const std::vector<AddedPiece>& all() const noexcept { return all_; }  // the longest first
  bool empty() const noexcept { return all_.empty(); }

  /// Cuts a text at the added pieces in it, from left to right. Where two begin at one place, the longer is found.
  ///
  /// from      the number of the text's first code point
  /// plain     plain(part, from) for the text between them, perhaps empty; returns the number after its last code point
  /// found     found(id, from, to): an added piece, and the code points [from, to) that it takes
  /// returns   the number after the text's last code point
  template <class Plain, class Found>
  std::uint32_t split(std::string_view text, std::uint32_t from, Plain&& plain, Found&& found) const {
    std::size_t at = 0;
    for (std::size_t look = 0; (look = next_first_byte(text, look)) != text.npos;) {
      const AddedPiece* const piece = at_place(text, look);
      if (piece == nullptr) {
        ++look;
        continue;
      }
      std::size_t begin = look, end = look + piece->text.size();
      if (piece->lstrip)
        while (begin > at && is_space(last_of(text.substr(at, begin - at)).cp))
          begin -= last_of(text.substr(at, begin - at)).bytes;
      if (piece->rstrip)
        while (end < text.size() && is_space(decode(text, end).cp)) end += decode(text, end).bytes;
      from = plain(text.substr(at, begin - at), from);
      const auto length = static_cast<std::uint32_t>(count_code_points(text.substr(begin, end - begin)));
      found(piece->id, from, from + length);
      from += length;
      at = look = end;
    }
    return plain(text.substr(at), from);
  }

 private:
  static CodePoint last_of(std::string_view text) noexcept {
    std::size_t at = text.size() - 1;
    while (at > 0 && text.size() - at < 4 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    return decode(text, at);
  }
  std::size_t next_first_byte(std::string_view text, std::size_t at) const noexcept {
    return first_bytes_.size() == 1 ? text.find(first_bytes_[0], at) : text.find_first_of(first_bytes_, at);
  }
  /// The longest added piece at `at`, or null.
  ENTRAIN_INLINE const AddedPiece* at_place(std::string_view text, std::size_t at) const;

  std::vector<AddedPiece> all_;
  std::string first_bytes_;
};

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/tokenizer/added_pieces.ipp"
#endif
