// [text] > batch > embed > encode > head > optim > checkpoint
//
// Normalization form C of a text, and the code points of the text that its code points are from. The data is in
// nfc_tables.hpp. Read utf8.hpp first; tokenizer/byte_bpe.hpp uses it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

/// Normalizes one text after another; threads must not share an object. A text that is in form C already is not copied.
///
/// text      canonical decomposition, canonical order of the marks, canonical composition. An invalid byte stays, or
///           becomes U+FFFD
/// place     the code points that a decomposed letter becomes are from that letter; the others are from one after
///           another, in order, and a composed letter is from the first of those that it replaces. So marks that change
///           their order keep the places in their order, as the package tokenizers counts them
/// source    Unicode Standard Annex 15, sections 5 and 9; Unicode 9.0 section 3.12 (Hangul) and its data, as in
///           tokenizers: later marks and letters are not moved, and not composed
class Nfc {
 public:
  /// Returns whether form C of a text differs from it; then text() and places() have the result until the next call.
  bool apply(std::string_view text) { return unchanged(text, 0) < text.size() && change(text); }
  const std::string& text() const noexcept { return text_; }
  /// For each code point of text() the number of the one that it is from; then how many the given text has.
  const std::vector<std::uint32_t>& places() const noexcept { return places_; }

 private:
  /// The first byte from `at` on that may begin a code point from U+0300 on, or the text's size.
  static std::size_t unchanged(std::string_view text, std::size_t at) noexcept {
    for (;; ++at) {
      at += ascii_run(text, at);
      if (at >= text.size() || static_cast<unsigned char>(text[at]) >= 0xCC) return at;
    }
  }
  ENTRAIN_INLINE bool change(std::string_view text);
  /// Makes segment_ of a part of a text that begins and ends where nothing is composed or moved.
  ENTRAIN_INLINE void normalize(std::string_view part);
  ENTRAIN_INLINE void decompose(char32_t cp);
  ENTRAIN_INLINE void order_marks();
  /// Writes letters_ to segment_.
  ENTRAIN_INLINE void compose();

  struct Letter {
    char32_t cp;
    std::uint8_t order;      // NfcRange
    std::uint32_t replaced;  // code points of the text that it replaces; 0: it is the rest of a decomposition
    std::uint32_t at;        // its place in letters_ before the marks are ordered
  };
  std::string text_, segment_;
  std::vector<std::uint32_t> places_, segment_places_;  // those of a segment are counted from its first code point
  std::vector<Letter> letters_, marks_;
  std::uint32_t read_ = 0;  // code points of the segment that are replaced
};

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/unicode/nfc.ipp"
#endif
