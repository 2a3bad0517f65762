// [text] > batch > embed > encode > head > optim > checkpoint
//
// Rules of text::UnicodeSentences: which sign may end a sentence, what closes it, and whether the sentence ends. Read
// splitter.hpp first.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "entrain/text/corpus/token.hpp"
#include "entrain/text/split/abbreviations.hpp"  // abbreviation
#include "entrain/text/split/scan.hpp"           // peek, one_of
#include "entrain/text/split/word_rules.hpp"     // is_apostrophe
#include "entrain/text/unicode/unicode.hpp"      // class_of

namespace entrain::text::detail {

/// The number of line ends in white space: CR LF is one end, and a form feed or U+2029 counts as two, because it ends a
/// paragraph.
inline int line_ends(std::string_view space) noexcept {
  int ends = 0;
  for (std::size_t at = 0; at < space.size();) {
    const CodePoint p = decode(space, at);
    at += p.bytes;
    if (p.cp == '\f' || p.cp == 0x2029) ends += 2;
    if (p.cp == '\n' || p.cp == 0x85 || p.cp == 0x2028 || (p.cp == '\r' && peek(space, at).cp != '\n')) ++ends;
  }
  return ends;
}

/// The white space after token i; after the last token, the rest of the text.
inline std::string_view space_behind(std::string_view text, std::span<const Token> tokens, std::size_t i) noexcept {
  const std::size_t end = i + 1 < tokens.size() ? tokens[i + 1].begin : text.size();
  return text.substr(tokens[i].end, end - tokens[i].end);
}

/// The kinds of signs that may end a sentence; of several in a row the greatest counts.
enum class Stop : std::uint8_t {
  none,
  doubtful,  // dot of U.S., etc. or J.: an end only before a word whose capital marks the begin of a sentence
  plain,     // . ! ? ...: an end if white space follows, and then no word in lower case
  always,    // the full stops of Chinese and Japanese, without a space after them
};

/// Words that hardly ever have a capital except at the begin of a sentence. Single letters but I are left out:
/// initials.
inline bool is_starter(std::string_view word) noexcept {
  static constexpr auto starters = [] {
    auto list = std::to_array<std::string_view>({
        "After", "All",  "Although", "An",      "And",     "As",    "At",       "Because", "Before", "But",   "By",
        "Das",   "De",   "Den",      "Der",     "Det",     "Die",   "Do",       "During",  "El",     "Ela",   "Ele",
        "Elle",  "Em",   "En",       "Er",      "Es",      "Et",    "Even",     "For",     "From",   "Han",   "He",
        "Her",   "Here", "His",      "How",     "However", "Hun",   "I",        "If",      "Il",     "In",    "Is",
        "It",    "Its",  "Jeg",      "La",      "Las",     "Le",    "Les",      "Los",     "Many",   "Mas",   "Men",
        "Most",  "My",   "Na",       "No",      "Not",     "Now",   "N\u00E3o", "Og",      "On",     "One",   "Or",
        "Os",    "Our",  "Por",      "P\u00E5", "Se",      "She",   "Sie",      "Since",   "So",     "Some",  "Such",
        "That",  "The",  "Their",    "Then",    "There",   "These", "They",     "This",    "Those",  "To",    "Um",
        "Uma",   "Und",  "Until",    "Vi",      "Was",     "We",    "What",     "When",    "Where",  "Which", "While",
        "Who",   "Why",  "Wir",      "With",    "Yet",     "You",   "Your",
    });
    std::ranges::sort(list);
    return list;
  }();
  return std::ranges::binary_search(starters, word);
}

constexpr bool is_quote(char32_t cp) noexcept { return cp == '"' || is_apostrophe(cp) || class_of(cp) == Class::quote; }
constexpr bool is_full_stop(char32_t cp) noexcept {
  return cp == 0x3002 || cp == 0xFF01 || cp == 0xFF1F || cp == 0xFF61;
}
constexpr bool is_stop(char32_t cp) noexcept {
  return one_of(cp, ".!?") || cp == 0x2026 || is_full_stop(cp) || cp == 0x203C || (cp >= 0x2047 && cp <= 0x2049) ||
         cp == 0x061F || cp == 0x06D4 || cp == 0x0964 || cp == 0x0965 || cp == 0x0589 || cp == 0x1362;
}

constexpr bool all_stops(std::string_view word) noexcept {
  while (!word.empty()) {
    const CodePoint p = decode(word, 0);
    if (!is_stop(p.cp)) return false;
    word.remove_prefix(p.bytes);
  }
  return true;
}

/// The last code point of a word that is not empty. Looks back over at most three continuation bytes.
constexpr CodePoint last_of(std::string_view word) noexcept {
  std::size_t at = word.size() - 1;
  while (at > 0 && word.size() - at < 4 && (static_cast<unsigned char>(word[at]) & 0xC0) == 0x80) --at;
  const CodePoint p = decode(word, at);
  return at + p.bytes == word.size() ? p : CodePoint{replacement, 1, false};
}

/// ASCII characters that may precede a word in quotes or brackets, and those that may follow it.
inline constexpr auto around_words = [] {
  struct Around {
    bool before = false, after = false;
  };
  std::array<Around, 128> all{};
  for (char32_t c = 0; c < all.size(); ++c)
    all[c] = {class_of(c) == Class::open || is_quote(c), class_of(c) == Class::close || is_quote(c)};
  return all;
}();

/// A word without the brackets and quotes around it.
constexpr std::string_view inside(std::string_view word) noexcept {
  while (!word.empty()) {
    const CodePoint p = decode(word, 0);
    if (p.cp < 0x80 ? !around_words[p.cp].before : class_of(p.cp) != Class::open && !is_quote(p.cp)) break;
    word.remove_prefix(p.bytes);
  }
  while (!word.empty()) {
    const auto last = static_cast<unsigned char>(word.back());
    const CodePoint p = last < 0x80 ? CodePoint{last, 1, true} : last_of(word);
    if (p.cp < 0x80 ? !around_words[p.cp].after : class_of(p.cp) != Class::close && !is_quote(p.cp)) break;
    word.remove_suffix(p.bytes);
  }
  return word;
}

/// Letters with a dot between each two: U.S, e.g, or a single capital, J. Not I, which is more often a word.
inline bool is_initials(std::string_view word) noexcept {
  std::size_t letters = 0;
  for (std::size_t at = 0; at < word.size(); ++letters) {
    const CodePoint p = decode(word, at);
    at += p.bytes;
    if (!is_letter(p.cp) || (at < word.size() && word[at++] != '.')) return false;
  }
  return letters > 1 || (letters == 1 && is_upper(decode(word, 0).cp) && word != "I");
}

/// The number or letter before the dot of 1. or B. that begins an item of a list.
inline bool is_item(std::string_view word) noexcept {
  if (word.size() == 1 && ascii_letter(word[0])) return word != "I";
  return !word.empty() && word.size() <= 3 && std::ranges::all_of(word, ascii_digit);
}

/// Whether a token with this last byte may be a stop: not if it is ASCII, no stop and nothing that closes.
inline constexpr auto may_stop = [] {
  std::array<bool, 256> may{};
  for (unsigned c = 0; c < may.size(); ++c)
    may[c] = c >= 0x80 || is_stop(c) || is_quote(c) || class_of(c) == Class::close;
  return may;
}();

struct StopReader {
  std::string_view text;
  std::span<const Token> tokens;

  std::string_view word(std::size_t i) const noexcept { return tokens[i].in(text); }

  /// True for most tokens: i has nothing at its end that ends a sentence or closes, and the next token follows directly
  /// or after one blank.
  bool goes_on_plainly(std::size_t i) const noexcept {
    if (i + 1 == tokens.size()) return false;
    const std::size_t end = tokens[i].end, gap = tokens[i + 1].begin - end;
    return (gap == 0 || (gap == 1 && text[end] == ' ')) && !may_stop[static_cast<unsigned char>(text[end - 1])];
  }

  /// The kind of stop that token i is, in a sentence that began with token `begin`.
  Stop stop(std::size_t i, std::size_t begin) const noexcept {
    if (!may_stop[static_cast<unsigned char>(text[tokens[i].end - 1])]) return Stop::none;
    std::string_view stem = inside(word(i));
    if (stem.empty()) return Stop::none;
    const char32_t sign = last_of(stem).cp;
    if (is_full_stop(sign)) return Stop::always;
    if (!is_stop(sign)) return Stop::none;
    if (sign != '.' || stem.ends_with("..")) return Stop::plain;
    stem.remove_suffix(1);
    std::size_t owner = i;  // the token with the dot
    if (stem.empty() && i > begin) stem = inside(word(--owner));
    if (owner == begin && is_item(stem)) return Stop::none;
    switch (abbreviation(stem)) {
      case Abbreviation::anywhere:
        return Stop::doubtful;
      case Abbreviation::before_name:
        return Stop::none;
      case Abbreviation::before_number:
        if (before_number(i)) return Stop::none;
        break;
      case Abbreviation::none:
        break;
    }
    return is_initials(stem) ? Stop::doubtful : Stop::plain;
  }

  /// Advances from token i, a stop, over more stops and over closing signs: ." .) .'' ?!  Returns the last token taken.
  std::size_t close(std::size_t i, Stop& stop, bool& quoted) const noexcept {
    for (; i + 1 < tokens.size() && line_ends(space_behind(text, tokens, i)) < 2; ++i) {
      const std::string_view next = word(i + 1);
      const bool glued = tokens[i].end == tokens[i + 1].begin;
      const char32_t first = decode(next, 0).cp;
      const bool more = all_stops(next);
      const bool apart = quoted && !space_behind(text, tokens, i + 1).empty();  // " with space on both sides
      const bool closes =
          class_of(first) == Class::close || next == "''" || (next == "\"" ? glued || apart : glued && is_quote(first));
      if (!more && !closes) break;
      if (more) stop = std::max(stop, is_full_stop(first) ? Stop::always : Stop::plain);
      quoted ^= next == "\"";
    }
    return i;
  }

  /// Whether a sentence ends after token i, which is the stop `stop`.
  bool ends(Stop stop, std::size_t i) const noexcept {
    if (stop == Stop::none || stop == Stop::always) return stop == Stop::always;
    if (space_behind(text, tokens, i).empty()) return false;
    constexpr std::size_t farthest = 4;
    for (std::size_t next = i + 1; next < std::min(i + 1 + farthest, tokens.size()); ++next) {
      const std::string_view begin = inside(word(next));
      if (begin.empty()) continue;  // quotes, brackets
      const CodePoint first = decode(begin, 0);
      if (is_letter(first.cp)) {
        const bool lower_case =
            is_lower(first.cp) && !is_upper(peek(begin, first.bytes).cp);  // iPhone begins a sentence
        return !lower_case && (stop == Stop::plain || is_starter(begin));
      }
      if (class_of(first.cp) != Class::punctuation || one_of(first.cp, "@#")) break;  // not a dash or a bullet
    }
    return stop == Stop::plain;
  }

 private:
  bool before_number(std::size_t i) const noexcept {
    return i + 1 < tokens.size() && is_number(decode(word(i + 1), 0).cp);
  }
};

}  // namespace entrain::text::detail
