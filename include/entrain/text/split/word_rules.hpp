// [text] > batch > embed > encode > head > optim > checkpoint
//
// Rules of text::UnicodeWords for words, clitics, and runs of signs. Read text/split/scan.hpp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

#include "entrain/text/split/abbreviations.hpp"  // abbreviation
#include "entrain/text/split/address_rules.hpp"  // is_host, address_tail
#include "entrain/text/split/scan.hpp"           // peek, byte_at, is_word, is_extender, skip_run

namespace entrain::text::detail {

// ---- words
// ---------------------------------------------------------------------------------------------------------------

constexpr bool is_apostrophe(char32_t cp) noexcept { return cp == '\'' || cp == 0x2019; }

/// Whether `sign`, between `before` and `after`, joins them to one word. `so_far`: the word's code points before it.
constexpr bool joins(char32_t before, char32_t sign, char32_t after, std::size_t so_far) noexcept {
  const bool numbers = is_number(before) && is_number(after);
  switch (sign) {
    case '-':
    case 0x2010:
    case 0x2011:
    case '\'':
    case 0x2019:
      return true;
    case '.':
      return !(is_lower(before) && is_upper(after));  // end.Next is two sentences
    case ',':
    case ':':
      return numbers;  // 1,000 and 10:30
    case '/':
      return numbers || (so_far == 1 && is_letter(before) && is_letter(after));  // 1/2, A/S, w/o, not and/or
    case '&':
      return is_upper(before) && is_upper(after);  // AT&T
    default:
      return false;
  }
}

/// Whether the dot after a word belongs to it: U.S. e.g. Dr. etc., and initials before a name.
inline bool keeps_dot(std::string_view s, std::size_t begin, std::size_t end, bool letters_and_dots) noexcept {
  if (s.substr(end, 3) == "...") return false;
  const std::string_view word = s.substr(begin, end - begin);
  const CodePoint space = peek(s, end + 1);
  const char32_t after = is_space(space.cp) ? peek(s, end + 1 + space.bytes).cp : 0;
  switch (abbreviation(word)) {
    case Abbreviation::anywhere:
    case Abbreviation::before_name:
      return true;
    case Abbreviation::before_number:
      if (is_number(after)) return true;
      break;
    case Abbreviation::none:
      break;
  }
  if (!letters_and_dots) return false;
  const CodePoint first = peek(s, begin);
  if (first.bytes < word.size()) return true;  // U.S. e.g.
  return is_upper(first.cp) && first.cp != 'I' &&
         (is_upper(after) || space.cp == ',');  // J. Smith, but not: than I. Then
}

/// A word: letters and numbers, and the signs that join them; with the dot of an abbreviation, or the sign of US$.
inline std::size_t word(std::string_view s, std::size_t at) noexcept {
  std::size_t end = at, piece = 0, code_points = 0, capitals = 0;
  bool letters_and_dots = true;  // so far letters with a dot between each two: U.S
  char32_t before = 0;
  for (CodePoint p = peek(s, end); p.bytes > 0; p = peek(s, end)) {
    if (is_word(p.cp)) {
      letters_and_dots &= ++piece == 1 && is_letter(p.cp);
      capitals += is_upper(p.cp);
      before = p.cp;
    } else if (p.cp == '_' && before != 0) {
      const std::size_t past = skip_run(s, end, "_");
      if (!is_word(peek(s, past).cp)) break;
      end = past - p.bytes;
      letters_and_dots = false;
    } else if (!is_extender(p.cp)) {
      const char32_t after = peek(s, end + p.bytes).cp;
      const bool degree = end == at + 2 && s.substr(at, 4) == "Ph.D";
      if (!is_word(after) || !(degree || joins(before, p.cp, after, code_points))) break;
      letters_and_dots &= p.cp == '.';
      piece = 0;
    }
    end += p.bytes;
    ++code_points;
  }
  const char next = byte_at(s, end);
  if (next == '.' && keeps_dot(s, at, end, letters_and_dots)) return end + 1;
  if (next == '$' && code_points <= 3 && capitals == code_points) return end + 1;
  if (next == '/' && is_host(s.substr(at, end - at))) return address_tail(s, end);
  return end;
}

/// The letters of a clitic that follows an apostrophe, in either case: not t, whose clitic is n't.
constexpr bool clitic_letters(std::string_view letters) noexcept {
  const auto low = [&](std::size_t i) { return static_cast<char>(letters[i] | 0x20); };
  if (letters.size() == 1) return low(0) == 's' || low(0) == 'm' || low(0) == 'd';
  if (letters.size() != 2) return false;
  return (low(1) == 'e' && (low(0) == 'r' || low(0) == 'v')) || (low(1) == 'l' && low(0) == 'l');
}

/// The begin of a word's last clitic ('s 're n't ..., with either apostrophe), or `end` if it has none.
inline std::size_t clitic(std::string_view s, std::size_t begin, std::size_t end) noexcept {
  for (std::size_t from = end; from > begin && end - from <= 2; --from) {
    const std::string_view before = s.substr(begin, from - begin), letters = s.substr(from, end - from);
    const std::size_t mark = before.ends_with('\'') ? 1 : before.ends_with("\u2019") ? 3 : 0;
    if (mark == 0) continue;
    const std::size_t sign = from - mark;
    if (clitic_letters(letters)) return sign > begin ? sign : end;
    const bool negation = (letters == "t" || letters == "T") && sign > begin + 1 && (s[sign - 1] | 0x20) == 'n';
    return negation ? sign - 1 : end;  // do n't; the whole of n't is not a word and its clitic
  }
  return end;
}

/// A clitic on its own, as in text that was split before: 's 're 'll.
inline std::size_t lone_clitic(std::string_view s, std::size_t at) noexcept {
  const CodePoint mark = peek(s, at);
  if (!is_apostrophe(mark.cp)) return at;
  const std::size_t begin = at + mark.bytes;
  std::size_t end = begin;
  while (end - begin < 3 && ascii_letter(byte_at(s, end))) ++end;
  const bool whole = end - begin < 3 && !is_word(peek(s, end).cp);
  return whole && clitic_letters(s.substr(begin, end - begin)) ? end : at;
}

// ---- signs
// ---------------------------------------------------------------------------------------------------------------

/// A run that is one token: two or more of one sign ... -- ** == '' but not of brackets, or of ! and ?, or of U+2026.
inline std::size_t run(std::string_view s, std::size_t at) noexcept {
  const char first = s[at];
  const std::size_t end = first == '!' || first == '?' ? skip_run(s, at, "!?")
                          : one_of(static_cast<unsigned char>(first), ".-'`*=_+~<>$#")
                              ? std::min(s.find_first_not_of(first, at), s.size())
                              : at;
  if (end - at > 1) return end;
  std::size_t dots = at;
  while (peek(s, dots).cp == 0x2026) dots += 3;
  return dots;
}

/// -5, +1 or .5, if no word is directly before.
inline std::size_t signed_number(std::string_view s, std::size_t at, bool fresh) noexcept {
  const CodePoint sign = peek(s, at);
  const bool allowed = sign.cp == '.' || (fresh && (sign.cp == '-' || sign.cp == '+' || sign.cp == 0x2212));
  return allowed && ascii_digit(byte_at(s, at + sign.bytes)) ? word(s, at + sign.bytes) : at;
}

}  // namespace entrain::text::detail
