// [text] > batch > embed > encode > head > optim > checkpoint
//
// Looking into a text without falling off its end, and what counts as part of a word. The ground of the rules of
// text::UnicodeWords, which stand in address_rules.hpp, picture_rules.hpp and word_rules.hpp. Each rule is a function:
// given a text and a place in it, where does the token end that begins here? Equal to `at` means: this rule says
// nothing. No rule looks at more than it takes, but for a bounded number of bytes, or what the tokens behind it take:
// so splitting is linear, whatever the text.
#pragma once
#include <cstddef>
#include <string_view>

#include "entrain/text/unicode.hpp"

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
/// What belongs to the code point before it: accents, joiners. U+200B separates words, and U+FEFF is a stray mark of
/// order.
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
