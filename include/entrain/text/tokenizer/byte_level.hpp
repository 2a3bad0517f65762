// [text] > batch > embed > encode > head > optim > checkpoint
//
// The parts of byte-level BPE that come before its merges: the printable code point that vocabularies write for a byte,
// and the words whose bytes are merged. Read byte_bpe.hpp for their use.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "entrain/text/unicode/unicode.hpp"  // class_of
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

/// The code point that a vocabulary writes for a byte: the byte itself where Latin-1 has a printable sign for it, else
/// 256 and the number of such bytes before it. So a space is U+0120.
///
/// source    Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.2, and its
/// encoder.py
constexpr char32_t letter_of_byte(unsigned char byte) noexcept {
  constexpr auto printable = [](int b) {
    return (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xAC) || (b >= 0xAE && b <= 0xFF);
  };
  if (printable(byte)) return byte;
  char32_t others = 0;
  for (int b = 0; b < byte; ++b) others += !printable(b);
  return 256 + others;
}

/// Whether a text in UTF-8 can have this byte.
constexpr bool occurs_in_utf8(unsigned char byte) noexcept { return byte != 0xC0 && byte != 0xC1 && byte < 0xF5; }

namespace detail {

enum class LetterKind : std::uint8_t { letter, number, space, other };

constexpr LetterKind letter_kind(char32_t cp) noexcept {
  const Class c = class_of(cp);
  return is_letter(c)        ? LetterKind::letter
         : is_number(c)      ? LetterKind::number
         : c == Class::space ? LetterKind::space
                             : LetterKind::other;
}

inline constexpr auto ascii_kinds = [] {
  std::array<LetterKind, 128> kinds{};
  for (char32_t cp = 0; cp < 128; ++cp) kinds[cp] = letter_kind(cp);
  return kinds;
}();

/// The end of the run of one kind that begins at `at`.
inline std::size_t end_of_run(std::string_view text, std::size_t at, LetterKind kind) noexcept {
  while (at < text.size()) {
    if (const auto byte = static_cast<unsigned char>(text[at]); byte < 128) {
      if (ascii_kinds[byte] != kind) break;
      ++at;
      continue;
    }
    const CodePoint p = decode(text, at);
    if (letter_kind(p.cp) != kind) break;
    at += p.bytes;
  }
  return at;
}

/// The length of 's, 't, 're, 've, 'm, 'll or 'd at `at`, or 0.
inline std::size_t contraction(std::string_view text, std::size_t at) noexcept {
  if (text[at] != '\'' || at + 1 >= text.size()) return 0;
  const char c = text[at + 1];
  if (c == 's' || c == 't' || c == 'm' || c == 'd') return 2;
  if (at + 2 >= text.size()) return 0;
  const char next = text[at + 2];
  return ((c == 'r' || c == 'v') && next == 'e') || (c == 'l' && next == 'l') ? 3 : 0;
}

}  // namespace detail

/// The end of the word that begins at `at`: a contraction; or one space and then letters, digits, or other signs; or
/// white space, whose last code point is left for the word after it.
///
///   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
///
/// requires  at < text.size(), and the text is UTF-8
/// source    encoder.py of GPT-2. Letters and numbers are those of Unicode 14
inline std::size_t end_of_byte_level_word(std::string_view text, std::size_t at) noexcept {
  using detail::LetterKind;
  if (const std::size_t taken = detail::contraction(text, at); taken > 0) return at + taken;
  CodePoint p = decode(text, at);
  if (text[at] == ' ' && at + 1 < text.size()) {
    const CodePoint next = decode(text, at + 1);
    if (detail::letter_kind(next.cp) != LetterKind::space) p = next, ++at;
  }
  const LetterKind kind = detail::letter_kind(p.cp);
  if (kind != LetterKind::space) return detail::end_of_run(text, at + p.bytes, kind);
  std::size_t before_last = at, end = at;
  while (end < text.size()) {
    p = decode(text, end);
    if (detail::letter_kind(p.cp) != LetterKind::space) return before_last > at ? before_last : end;
    before_last = end;
    end += p.bytes;
  }
  return end;
}

}  // namespace entrain::text
