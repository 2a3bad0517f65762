// [text] > batch > embed > encode > head > optim > checkpoint
//
// Reads code points and bytes of a text without passing its end, and decides which characters are part of a word. The
// rules of text::UnicodeWords, in text/split, use it. Each rule is a function that gets a text and a position in it,
// and returns the end of the token that begins there. A result equal to `at` means that the rule does not apply. A rule
// reads no more bytes than it takes, plus a bounded number, or the bytes that the tokens after it take: so splitting is
// linear for any text.
#pragma once
#include <cstddef>
#include <string_view>

#include "entrain/text/unicode/unicode.hpp"

namespace entrain::text::detail {

/// The code point at `at`, or U+0000 of no bytes at the end of the text.
constexpr CodePoint peek(std::string_view s, std::size_t at) noexcept {
  if (at >= s.size()) return {0, 0, true};
  const auto first = static_cast<unsigned char>(s[at]);
  return first < 0x80 ? CodePoint{first, 1, true} : decode(s, at);
}
constexpr char byte_at(std::string_view s, std::size_t at) noexcept { return at < s.size() ? s[at] : '\0'; }

constexpr bool one_of(char32_t cp, std::string_view ascii) noexcept {
  return cp < 0x80 && cp != 0 && ascii.find(static_cast<char>(cp)) != std::string_view::npos;
}
constexpr bool ascii_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool ascii_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Part of a word: letters and numbers, but not the letters of scripts without spaces, which are tokens one by one.
constexpr bool is_word(char32_t cp) noexcept {
  const Class c = class_of(cp);
  return (is_letter(c) || is_number(c)) && !is_unspaced(cp);
}
/// Characters that belong to the code point before them: accents, joiners. U+200B separates words, and U+FEFF is a
/// stray byte order mark.
constexpr bool is_extender(char32_t cp) noexcept {
  const Class c = class_of(cp);
  return c == Class::mark || (c == Class::format && cp != 0x200B && cp != 0xFEFF);
}

inline std::size_t skip_extenders(std::string_view s, std::size_t at) noexcept {
  for (CodePoint p = peek(s, at); p.bytes > 0 && is_extender(p.cp); p = peek(s, at)) at += p.bytes;
  return at;
}
inline std::size_t skip_run(std::string_view s, std::size_t at, std::string_view of) noexcept {
  while (one_of(static_cast<unsigned char>(byte_at(s, at)), of)) ++at;
  return at;
}

}  // namespace entrain::text::detail
