// [text] > batch > embed > encode > head > optim > checkpoint
//
// The faults of a single token: invisible characters, invalid bytes, no character at all.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/text/unicode/unicode.hpp"

namespace entrain::text {

enum class Fault : std::uint8_t {
  none,
  empty,
  invalid_utf8,
  control,
  invisible,
  lost,
  private_use,
  blank,
  inner_space
};

/// The first fault of a token, and the code point that has it.
struct TokenFault {
  Fault fault = Fault::none;
  char32_t cp = 0;
};

/// Characters without width: zero-width spaces and joiners, soft hyphens, marks of writing direction, U+FEFF.
constexpr bool is_invisible(char32_t cp) noexcept {
  return cp == 0xAD || cp == 0x61C || cp == 0x180E || (cp >= 0x200B && cp <= 0x200F) ||
         (cp >= 0x202A && cp <= 0x202E) || (cp >= 0x2060 && cp <= 0x206F) || cp == 0xFEFF ||
         (cp >= 0xFFF9 && cp <= 0xFFFB);
}
/// U+200C and U+200D inside a token are spelling: Persian, the scripts of India, emoji made of several.
constexpr bool is_joiner(char32_t cp) noexcept { return cp == 0x200C || cp == 0x200D; }

constexpr bool is_private(char32_t cp) noexcept { return (cp >= 0xE000 && cp <= 0xF8FF) || cp >= 0xF0000; }

/// Scans from left to right. A space inside a token counts only if there is no worse fault.
inline TokenFault find_fault(std::string_view token) noexcept {
  if (token.empty()) return {Fault::empty};
  TokenFault spaced;
  std::size_t spaces = 0, seen = 0;
  for (std::size_t at = 0; at < token.size(); ++seen) {
    const CodePoint p = decode(token, at);
    if (!p.valid) return {Fault::invalid_utf8, static_cast<unsigned char>(token[at])};
    at += p.bytes;
    const char32_t cp = p.cp;
    if (cp > 0x20 && cp < 0x7F) continue;
    if (cp == 0x85 || is_control(cp)) return {Fault::control, cp};
    if (is_invisible(cp) && !(is_joiner(cp) && seen > 0 && at < token.size())) return {Fault::invisible, cp};
    if (cp == replacement) return {Fault::lost, cp};
    if (is_private(cp)) return {Fault::private_use, cp};
    if (!is_space(cp)) continue;
    if (spaces++ == 0) spaced = {Fault::inner_space, cp};
  }
  if (spaces == seen) spaced.fault = Fault::blank;
  return spaced;
}

/// `U+200B`
inline std::string code_point_name(char32_t cp) {
  std::string hex;
  for (auto rest = static_cast<std::uint32_t>(cp); rest > 0 || hex.size() < 4; rest >>= 4)
    hex.insert(hex.begin(), "0123456789ABCDEF"[rest & 15]);
  return "U+" + hex;
}

/// The fault as text, as in "the invisible character U+200B in the token"; empty for none.
inline std::string describe(const TokenFault& f) {
  switch (f.fault) {
    case Fault::none:
      return {};
    case Fault::empty:
      return "the token is empty";
    case Fault::invalid_utf8:
      return "byte 0x" + code_point_name(f.cp).substr(4) + " in the token is not UTF-8";
    case Fault::control:
      return "the control character " + code_point_name(f.cp) + " in the token";
    case Fault::invisible:
      return "the invisible character " + code_point_name(f.cp) + " in the token";
    case Fault::lost:
      return "U+FFFD (replacement character) in the token";
    case Fault::private_use:
      return "the private-use character " + code_point_name(f.cp) + " in the token";
    case Fault::blank:
      return "the token is blank (" + code_point_name(f.cp) + ")";
    case Fault::inner_space:
      return "a space (" + code_point_name(f.cp) + ") inside the token";
  }
  return {};
}

}  // namespace entrain::text
