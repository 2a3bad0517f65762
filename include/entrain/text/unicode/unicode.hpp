// [text] > batch > embed > encode > head > optim > checkpoint
//
// The properties of a code point (letter, digit, space, ...) and its other case. The data is in unicode_tables.hpp;
// this file has the queries. Read utf8.hpp first.
#pragma once
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "entrain/text/unicode/unicode_tables.hpp"  // Class, properties
#include "entrain/text/unicode/utf8.hpp"            // decode, encode, ascii_run

namespace entrain::text {

using detail::Class;

namespace detail {
constexpr const Property& property(char32_t cp) noexcept {
  if (cp > 0x10FFFF) cp = 0x10FFFF;  // never assigned, so class `other`
  return properties[property_of[block_of[cp >> 8] * 256u + (cp & 0xFF)]];
}
}  // namespace detail

/// The class of a code point: its general category, with the few categories merged that text processing never
/// distinguishes. `space` is White_Space, which includes TAB and line ends; U+200B, the zero-width space, is `format`.
constexpr Class class_of(char32_t cp) noexcept { return detail::property(cp).cls; }

constexpr bool is_upper(char32_t cp) noexcept { return class_of(cp) == Class::upper; }
constexpr bool is_lower(char32_t cp) noexcept { return class_of(cp) == Class::lower; }
constexpr bool is_letter(Class c) noexcept { return c >= Class::upper && c <= Class::letter; }
constexpr bool is_letter(char32_t cp) noexcept { return is_letter(class_of(cp)); }
/// A digit, in any script, including superscript and circled ones: the digits of Python's str.isdigit.
constexpr bool is_digit(char32_t cp) noexcept { return detail::property(cp).flags & detail::digit_value; }
/// A digit or another number sign: Roman numeral, fraction.
constexpr bool is_number(Class c) noexcept { return c == Class::digit || c == Class::number; }
constexpr bool is_number(char32_t cp) noexcept { return is_number(class_of(cp)); }
constexpr bool is_punctuation(Class c) noexcept { return c >= Class::open && c <= Class::punctuation; }
constexpr bool is_punctuation(char32_t cp) noexcept { return is_punctuation(class_of(cp)); }
constexpr bool is_symbol(char32_t cp) noexcept { return class_of(cp) == Class::symbol; }
constexpr bool is_mark(char32_t cp) noexcept { return class_of(cp) == Class::mark; }
constexpr bool is_space(char32_t cp) noexcept { return class_of(cp) == Class::space; }
constexpr bool is_control(char32_t cp) noexcept { return class_of(cp) == Class::control; }
constexpr bool is_format(char32_t cp) noexcept { return class_of(cp) == Class::format; }
/// Extended_Pictographic: code points that begin an emoji. Flags (regional indicators) and keycaps are not in it.
constexpr bool is_pictograph(char32_t cp) noexcept { return detail::property(cp).flags & detail::pictograph; }
/// A letter of a script that is written without spaces between words: Han, kana, Thai, Lao, Khmer, Myanmar, ...
constexpr bool is_unspaced(char32_t cp) noexcept { return detail::property(cp).flags & detail::unspaced; }

/// Simple case mapping: one code point to one code point, in no language and no context. U+0130 becomes i.
constexpr char32_t lower(char32_t cp) noexcept {
  return static_cast<char32_t>(static_cast<std::int32_t>(cp) + detail::property(cp).to_lower);
}
constexpr char32_t upper(char32_t cp) noexcept {
  return static_cast<char32_t>(static_cast<std::int32_t>(cp) + detail::property(cp).to_upper);
}

/// Enough bytes for the lower case of n bytes: an invalid byte becomes U+FFFD, three bytes.
constexpr std::size_t lower_capacity(std::size_t n) noexcept { return 3 * n; }

namespace detail {
/// Lower case of eight ASCII bytes at once: adding 0x80 - 'A' sets a byte's top bit from 'A' on, 0x80 - '[' from past
/// 'Z'.
constexpr std::uint64_t lower_eight(std::uint64_t ascii) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101u;
  const std::uint64_t from_a = ascii + ones * (0x80 - 'A'), past_z = ascii + ones * (0x80 - ('Z' + 1));
  return ascii | (from_a & ~past_z & (ones * 0x80)) >> 2;  // 0x80 >> 2 is 0x20, the distance of the cases
}
}  // namespace detail

/// Writes s in lower case and returns the number of bytes written.
///
/// requires  out.size() >= lower_capacity(s.size()); out does not overlap s
inline std::size_t lower(std::string_view s, std::span<char> out) noexcept {
  assert(out.size() >= lower_capacity(s.size()));
  char* to = out.data();
  std::size_t at = 0;
  for (std::uint64_t eight; at + 8 <= s.size(); at += 8, to += 8) {
    std::memcpy(&eight, s.data() + at, 8);
    if (eight & 0x8080808080808080u) break;
    eight = detail::lower_eight(eight);
    std::memcpy(to, &eight, 8);
  }
  while (at < s.size()) {
    const auto byte = static_cast<unsigned char>(s[at]);
    if (byte < 0x80) {
      *to++ = static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte);
      ++at;
    } else {
      const CodePoint p = decode(s, at);
      to += encode(lower(p.cp), to);
      at += p.bytes;
    }
  }
  return static_cast<std::size_t>(to - out.data());
}

inline std::string lower(std::string_view s) {
  std::string out(lower_capacity(s.size()), '\0');
  out.resize(lower(s, std::span<char>(out)));
  return out;
}

}  // namespace entrain::text
