// [text] > batch > embed > encode > head > optim > checkpoint
//
// Strict UTF-8, one code point at a time, forwards, without failure. An invalid byte counts as one U+FFFD, so that
// every byte has a place in the text and nothing is dropped.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace entrain::text {

inline constexpr char32_t replacement = 0xFFFD;
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// One code point, and how many bytes it took. An invalid byte is {U+FFFD, 1, false}.
struct CodePoint {
  char32_t cp;
  std::uint32_t bytes;
  bool valid;
};

namespace detail {
/// The result of decode() for a byte that is not ASCII.
constexpr CodePoint decode_more(std::string_view s, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(s[at + i])); };
  const std::uint32_t first = byte(0);
  const std::uint32_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || length > s.size() - at) return {replacement, 1, false};
  std::uint32_t cp = first & (0x7Fu >> length);
  for (std::uint32_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {replacement, 1, false};
    cp = cp << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (length == 3 && cp < 0x800) || (length == 4 && cp < 0x10000);
  const bool surrogate = cp >= 0xD800 && cp < 0xE000;
  if (overlong || surrogate || cp > 0x10FFFF) return {replacement, 1, false};
  return {cp, length, true};
}
}  // namespace detail

/// The code point at `at`.
///
/// requires  at < s.size()
/// invalid   a stray continuation byte, a sequence cut short, an overlong form, a surrogate, anything above U+10FFFF:
///           the first byte alone, so that decoding never advances past the bytes that it examined
/// source    Unicode 14.0, table 3-7 (well-formed UTF-8 byte sequences)
constexpr CodePoint decode(std::string_view s, std::size_t at) noexcept {
  const auto first = static_cast<unsigned char>(s[at]);  // most are ASCII; the function is short enough to be inlined
  return first < 0x80 ? CodePoint{first, 1, true} : detail::decode_more(s, at);
}

/// Writes cp as UTF-8 and returns the number of bytes, 1 to 4. A value that is not a code point is written as U+FFFD.
constexpr std::uint32_t encode(char32_t cp, char* out) noexcept {
  const auto put = [&](int i, std::uint32_t bits) { out[i] = static_cast<char>(static_cast<unsigned char>(bits)); };
  if (cp > 0x10FFFF || (cp >= 0xD800 && cp < 0xE000)) cp = replacement;
  if (cp < 0x80) return put(0, cp), 1;
  if (cp < 0x800) return put(0, 0xC0 | cp >> 6), put(1, 0x80 | (cp & 0x3F)), 2;
  if (cp < 0x10000) return put(0, 0xE0 | cp >> 12), put(1, 0x80 | (cp >> 6 & 0x3F)), put(2, 0x80 | (cp & 0x3F)), 3;
  put(0, 0xF0 | cp >> 18), put(1, 0x80 | (cp >> 12 & 0x3F)), put(2, 0x80 | (cp >> 6 & 0x3F));
  return put(3, 0x80 | (cp & 0x3F)), 4;
}

/// The number of ASCII bytes of s, from `at` on, before the first other byte. Eight at a time.
inline std::size_t ascii_run(std::string_view s, std::size_t at = 0) noexcept {
  std::size_t end = at;
  for (std::uint64_t eight; end + 8 <= s.size(); end += 8) {
    std::memcpy(&eight, s.data() + end, 8);
    if (eight & 0x8080808080808080u) break;
  }
  while (end < s.size() && static_cast<unsigned char>(s[end]) < 0x80) ++end;
  return end - at;
}

/// Counts of a text.
struct Census {
  std::size_t code_points = 0;  // each invalid byte counts as one
  std::size_t invalid = 0;      // bytes that are not part of valid UTF-8
  std::size_t first_invalid = std::string_view::npos;

  bool valid() const noexcept { return invalid == 0; }
};

inline Census census(std::string_view s) noexcept {
  Census c;
  for (std::size_t at = 0; at < s.size();) {
    const std::size_t ascii = ascii_run(s, at);
    c.code_points += ascii;
    at += ascii;
    for (; at < s.size() && static_cast<unsigned char>(s[at]) >= 0x80; ++c.code_points) {
      const CodePoint p = detail::decode_more(s, at);
      if (!p.valid && c.invalid++ == 0) c.first_invalid = at;
      at += p.bytes;
    }
  }
  return c;
}

inline bool is_valid_utf8(std::string_view s) noexcept { return census(s).valid(); }
inline std::size_t count_code_points(std::string_view s) noexcept { return census(s).code_points; }

/// Appends s to `out` with each invalid byte written as U+FFFD, and returns how many there were.
inline std::size_t repair_utf8(std::string_view s, std::string& out) {
  std::size_t repaired = 0;
  for (std::size_t at = 0; at < s.size();) {
    const CodePoint p = decode(s, at);
    if (p.valid) {
      out.append(s, at, p.bytes);
    } else {
      out.append("\xEF\xBF\xBD");
      ++repaired;
    }
    at += p.bytes;
  }
  return repaired;
}

}  // namespace entrain::text
