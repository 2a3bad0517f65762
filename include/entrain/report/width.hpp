// core > [report]
//
// How many columns a text takes on a terminal, and a filter that makes a text from a file safe to print on one.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace entrain::report {

namespace detail {

/// Removes the next code point from the front; a byte that starts none counts as U+FFFD.
inline char32_t next_code_point(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  char32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80) {
      text.remove_prefix(1);
      return 0xFFFD;
    }
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  text.remove_prefix(length == 0 ? 1 : length);
  return length == 0 ? 0xFFFD : code;
}

using Range = std::pair<char32_t, char32_t>;
template <std::size_t N> constexpr bool within(char32_t c, const std::array<Range, N>& ranges) {
  for (const auto& [first, last] : ranges)
    if (first <= c && c <= last) return true;
  return false;
}

// The blocks that matter for names and labels; the exact tables are in text/.
inline constexpr std::array<Range, 7> no_column{{{0x0300, 0x036F},
                                                 {0x0483, 0x0489},
                                                 {0x0591, 0x05BD},
                                                 {0x064B, 0x065F},
                                                 {0x200B, 0x200F},
                                                 {0x20D0, 0x20FF},
                                                 {0xFE00, 0xFE0F}}};
inline constexpr std::array<Range, 9> two_columns{{{0x1100, 0x115F},
                                                   {0x2E80, 0x303E},
                                                   {0x3041, 0xA4CF},
                                                   {0xAC00, 0xD7A3},
                                                   {0xF900, 0xFAFF},
                                                   {0xFE30, 0xFE6F},
                                                   {0xFF01, 0xFF60},
                                                   {0x1F300, 0x1FAFF},
                                                   {0x20000, 0x3FFFD}}};
}  // namespace detail

/// Columns on a terminal: 0 for combining marks, 2 for East Asian wide characters and emoji, 1 for the rest.
inline std::size_t columns(std::string_view text) {
  std::size_t n = 0;
  while (!text.empty()) {
    const char32_t c = detail::next_code_point(text);
    n += detail::within(c, detail::no_column) ? 0U : detail::within(c, detail::two_columns) ? 2U : 1U;
  }
  return n;
}

/// Control characters, of ASCII and of Latin-1, become '?', and bytes that are not UTF-8 become U+FFFD. So a label in a
/// hostile corpus cannot move the cursor or end the line.
inline std::string harmless(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = detail::next_code_point(text);
    if (c < 0x20 || (c >= 0x7F && c < 0xA0))
      out.push_back('?');
    else if (c == 0xFFFD)
      out.append("\xEF\xBF\xBD");
    else
      out.append(before.substr(0, before.size() - text.size()));
  }
  return out;
}

}  // namespace entrain::report
