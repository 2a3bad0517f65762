// [text] > batch > embed > encode > head > optim > checkpoint
//
// Rules of text::UnicodeWords for text from the web: URLs, e-mail addresses, @names, #tags, &amp;. Read
// text/split/scan.hpp first.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "entrain/text/split/scan.hpp"  // peek, byte_at, is_word

namespace entrain::text::detail {

// ---- addresses
// -----------------------------------------------------------------------------------------------------------

/// From inside an address to its end. The address ends at white space, quotes, brackets of markup or a script without
/// spaces. Punctuation at the end is left out, but a closing bracket stays if it was opened inside.
inline std::size_t address_tail(std::string_view s, std::size_t at) noexcept {
  std::size_t end = at, round = 0, square = 0;  // opening brackets minus closing brackets; at most 0
  std::size_t kept = at;                        // after the last code point that an address may end with
  for (CodePoint p = peek(s, end); p.bytes > 0; p = peek(s, end)) {
    const Class c = class_of(p.cp);
    if (c == Class::space || c == Class::control || c == Class::quote || !p.valid || is_unspaced(p.cp)) break;
    if (one_of(p.cp, "<>\"`{}|\\^") || (p.cp >= 0x3000 && p.cp <= 0x303F) || (p.cp >= 0xFF00 && p.cp <= 0xFF0F)) break;
    end += p.bytes;
    bool may_end = !one_of(p.cp, ".,;:!?'*_~([)]") && p.cp != 0x2026;
    if (p.cp == '(') ++round;
    if (p.cp == '[') ++square;
    if (p.cp == ')' && round > 0) --round, may_end = true;
    if (p.cp == ']' && square > 0) --square, may_end = true;
    if (may_end) kept = end;
  }
  return kept;
}

/// scheme://... or www....
inline std::size_t url(std::string_view s, std::size_t at) noexcept {
  constexpr std::size_t longest_scheme = 16;
  std::size_t i = at;
  while (i - at < longest_scheme && (ascii_letter(byte_at(s, i)) ||
                                     (i > at && one_of(static_cast<unsigned char>(byte_at(s, i)), "+-.0123456789"))))
    ++i;
  std::size_t begin = at;
  if (i > at && s.substr(i, 3) == "://") {
    begin = i + 3;
  } else if ((byte_at(s, at) | 0x20) == 'w' && (byte_at(s, at + 1) | 0x20) == 'w' &&
             (byte_at(s, at + 2) | 0x20) == 'w' && byte_at(s, at + 3) == '.') {
    begin = at + 4;
  }
  if (begin == at || !is_word(peek(s, begin).cp)) return at;
  return address_tail(s, begin);
}

/// Whether a word is a host name under a common top-level domain, so that a path may follow: youtu.be/x.
inline bool is_host(std::string_view word) noexcept {
  constexpr auto domains = std::to_array<std::string_view>(
      {"at",  "au",  "be", "biz", "br",  "ca",  "ch", "cn", "co",   "com", "de", "dk", "edu", "es", "eu",
       "fi",  "fm",  "fr", "gl",  "gov", "gd",  "ie", "in", "info", "int", "io", "it", "jp",  "ly", "me",
       "mil", "net", "nl", "no",  "nz",  "org", "pl", "pt", "ru",   "se",  "tv", "uk", "us"});
  const std::size_t dot = word.rfind('.');
  return dot != std::string_view::npos && dot > 0 && std::ranges::find(domains, word.substr(dot + 1)) != domains.end();
}

/// local@domain.tld. The caller keeps `hopeless`, which is 0 at the start of a text: no address begins before it.
/// Without it, the loop would scan a long run of "a%a%a%" again from each of its words.
inline std::size_t email(std::string_view s, std::size_t at, std::size_t& hopeless) noexcept {
  if (at < hopeless) return at;
  const auto word = [&](std::size_t i) { return ascii_letter(byte_at(s, i)) || ascii_digit(byte_at(s, i)); };
  std::size_t i = at;
  while (word(i) || one_of(static_cast<unsigned char>(byte_at(s, i)), "._%+-")) ++i;
  hopeless = i;
  if (i == at || byte_at(s, i) != '@') return at;
  std::size_t end = ++i, label = i;  // end of the last valid domain; begin of the current label
  for (bool dotted = false;; ++i) {
    if (word(i) || byte_at(s, i) == '-') continue;
    const bool top = dotted && i - label >= 2 &&
                     std::all_of(s.begin() + static_cast<std::ptrdiff_t>(label),
                                 s.begin() + static_cast<std::ptrdiff_t>(i), ascii_letter);
    if (top) end = i;
    if (byte_at(s, i) != '.' || i == label) break;
    dotted = true;
    label = i + 1;
  }
  const char next = byte_at(s, end);
  return end == hopeless + 1 || next == '@' || next == '_' || next == '-' || word(end) ? at : end;
}

/// @name or #tag: a sign and the letters, numbers and underscores after it.
inline std::size_t tagged(std::string_view s, std::size_t at) noexcept {
  std::size_t end = at + 1;
  bool named = false;
  for (CodePoint p = peek(s, end); p.bytes > 0; p = peek(s, end)) {
    const bool letter = is_word(p.cp) || is_unspaced(p.cp);
    if (!letter && p.cp != '_' && !(named && is_extender(p.cp))) break;
    named |= letter;
    end += p.bytes;
  }
  return named ? end : at;
}

/// &amp; and other character references that text from the web contains.
inline std::size_t entity(std::string_view s, std::size_t at) noexcept {
  constexpr std::size_t longest = 8;
  std::size_t i = at + 1;
  if (byte_at(s, i) == '#') ++i;
  while (i - at < longest && (ascii_letter(byte_at(s, i)) || ascii_digit(byte_at(s, i)))) ++i;
  return i - at > 2 && byte_at(s, i) == ';' ? i + 1 : at;
}

}  // namespace entrain::text::detail
