// [text] > batch > embed > encode > head > optim > checkpoint
//
// The fast path of text::UnicodeWords through plain text: words of ASCII letters and digits, and signs, if the bytes
// after them show that no rule could make them another token. All other text goes through the rules.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "entrain/text/split/scan.hpp"       // ascii_letter, ascii_digit, one_of
#include "entrain/text/unicode/unicode.hpp"  // class_of

namespace entrain::text::detail {

/// The class of a byte on the fast path: at the begin of a token, and after a word.
struct PlainByte {
  enum class Begin : std::uint8_t {
    by_rules,
    word,         // a letter or digit
    space,        // white space
    sign,         // a token by itself, whatever ASCII byte follows
    sign_in_gap,  // a token if white space or the end of the text follows
    sign_before,  // a token if one of these, a letter or a digit follows
  };
  Begin begin = Begin::by_rules;
  bool opens = false;  // an opening bracket
  bool ends = false;   // ends a word before it, whatever follows
  bool parts = false;  // ends a word before it, except between two numbers
};

inline constexpr auto plain_bytes = [] {
  std::array<PlainByte, 256> all{};
  for (unsigned char c = 0; c < 0x80; ++c) {
    PlainByte& b = all[c];
    if (ascii_letter(static_cast<char>(c)) || ascii_digit(static_cast<char>(c))) b.begin = PlainByte::Begin::word;
    if (is_space(c)) b.begin = PlainByte::Begin::space;
    if (one_of(c, ",\")]}[{|%/")) b.begin = PlainByte::Begin::sign;
    if (one_of(c, ".:;-&!?*=+~^_`<>'\\")) b.begin = PlainByte::Begin::sign_in_gap;
    if (one_of(c, "($")) b.begin = PlainByte::Begin::sign_before;
    b.opens = class_of(c) == Class::open;
    b.ends = is_space(c) || one_of(c, "!?;()[]{}<>\"=*~^|\\#`");
    b.parts = one_of(c, ",:");
  }
  return all;
}();

constexpr const PlainByte& plain_byte(std::string_view s, std::size_t at) noexcept {
  return plain_bytes[static_cast<unsigned char>(s[at])];
}

/// For each of eight bytes, the top bit: whether the byte is an ASCII letter or digit.
constexpr std::uint64_t letters_and_digits(std::uint64_t eight) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101u, tops = ones * 0x80;
  const std::uint64_t ascii = eight & ~tops, small = ascii | ones * 0x20;  // no sum below carries out of its byte
  const std::uint64_t letter = (small + ones * (0x80 - 'a')) & ~(small + ones * (0x80 - ('z' + 1)));
  const std::uint64_t digit = (ascii + ones * (0x80 - '0')) & ~(ascii + ones * (0x80 - ('9' + 1)));
  return (letter | digit) & ~eight & tops;
}

/// The position after the ASCII letters and digits that begin at `at`. Tests eight bytes at a time.
inline std::size_t skip_letters_and_digits(std::string_view s, std::size_t at) noexcept {
  if constexpr (std::endian::native == std::endian::little)
    for (std::uint64_t eight; at + 8 <= s.size(); at += 8) {
      std::memcpy(&eight, s.data() + at, 8);
      const std::uint64_t others = ~letters_and_digits(eight) & 0x8080808080808080u;
      if (others != 0) return at + static_cast<std::size_t>(std::countr_zero(others)) / 8;
    }
  while (at < s.size() && plain_byte(s, at).begin == PlainByte::Begin::word) ++at;
  return at;
}

/// The end of the token that is the run of letters and digits at `at`; `at` if the rules must decide.
inline std::size_t plain_word(std::string_view s, std::size_t at) noexcept {
  const std::size_t end = skip_letters_and_digits(s, at);
  if (end == s.size()) return end;
  const PlainByte& next = plain_byte(s, end);
  if (next.ends) return end;
  if (!next.parts) return at;
  const char after = byte_at(s, end + 1);
  if (after == '/' || (ascii_digit(s[end - 1]) && (ascii_digit(after) || static_cast<unsigned char>(after) >= 0x80)))
    return at;  // http://, 10:30
  return end;
}

/// Whether the sign at `at` is a token by itself; if not, the rules decide.
inline bool plain_sign(std::string_view s, std::size_t at) noexcept {
  if (at + 1 == s.size()) return true;
  const PlainByte::Begin sign = plain_byte(s, at).begin, next = plain_byte(s, at + 1).begin;
  if (next == PlainByte::Begin::space) return true;
  if (sign == PlainByte::Begin::sign) return static_cast<unsigned char>(s[at + 1]) < 0x80;  // else marks may follow
  return sign == PlainByte::Begin::sign_before && next == PlainByte::Begin::word;
}

}  // namespace entrain::text::detail
