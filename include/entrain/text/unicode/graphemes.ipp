// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of graphemes.hpp.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "entrain/text/unicode/grapheme_tables.hpp"
#include "entrain/text/unicode/graphemes.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

namespace detail {

/// For each block of 256 code points, the first range that does not end before it.
inline constexpr auto first_grapheme_range = [] {
  std::array<std::uint16_t, 0x1101> first{};
  std::uint16_t range = 0;
  for (char32_t block = 0; block < first.size(); ++block) {
    while (range < std::size(GraphemeTable::ranges) && GraphemeTable::ranges[range].last < block << 8) ++range;
    first[block] = range;
  }
  return first;
}();

constexpr Grapheme grapheme_of(char32_t cp) noexcept {
  std::size_t begin = first_grapheme_range[cp >> 8], end = first_grapheme_range[(cp >> 8) + 1] + std::size_t{1};
  if (end > std::size(GraphemeTable::ranges)) end = std::size(GraphemeTable::ranges);
  while (begin < end) {
    const std::size_t middle = (begin + end) / 2;
    if (GraphemeTable::ranges[middle].last < cp)
      begin = middle + 1;
    else
      end = middle;
  }
  if (begin == std::size(GraphemeTable::ranges) || cp < GraphemeTable::ranges[begin].first) return Grapheme::other;
  return GraphemeTable::ranges[begin].cls;
}

/// A cluster as far as it is read, and whether the next code point belongs to it.
class Cluster {
  using enum Grapheme;

 public:
  explicit Cluster(char32_t first) noexcept { take(first, grapheme_of(first)); }

  /// Takes a code point if the cluster continues with it.
  bool continues(char32_t cp) noexcept {
    const Grapheme next = grapheme_of(cp);
    if (!joins(cp, next)) return false;
    take(cp, next);
    return true;
  }

 private:
  static bool extends(Grapheme c) noexcept { return c == extend || c == plain_extend || c == linker; }
  /// A syllable without a consonant at its end, such as U+AC00: every 28th.
  static bool is_open(char32_t syllable) noexcept { return (syllable - 0xAC00) % 28 == 0; }

  bool joins(char32_t cp, Grapheme next) const noexcept {
    if (cls_ == control) return cp_ == '\r' && cp == '\n';                                       // GB3, GB4
    if (next == control) return false;                                                           // GB5
    if (cls_ == leading && (next == leading || next == vowel || next == syllable)) return true;  // GB6
    const bool after_vowel = cls_ == vowel || (cls_ == syllable && is_open(cp_));
    if (after_vowel && (next == vowel || next == trailing)) return true;                     // GB7
    if ((cls_ == syllable || cls_ == trailing) && next == trailing) return true;             // GB8
    if (extends(next) || next == joiner || next == spacing || cls_ == prepend) return true;  // GB9 to 9b
    if (next == consonant && linked_) return true;                                           // GB9c
    if (next == emoji && cls_ == joiner && after_emoji_) return true;                        // GB11
    return next == regional && odd_regionals_;                                               // GB12
  }
  void take(char32_t cp, Grapheme next) noexcept {
    const bool in_conjunct = next == extend || next == joiner || next == linker;
    linked_ = after_consonant_ && (next == linker || (linked_ && in_conjunct));
    after_consonant_ = next == consonant || (after_consonant_ && in_conjunct);
    after_emoji_ = next == emoji || (after_emoji_ && cls_ != joiner && (extends(next) || next == joiner));
    odd_regionals_ = next == regional && !odd_regionals_;
    cls_ = next;
    cp_ = cp;
  }

  Grapheme cls_ = other;
  char32_t cp_ = 0;
  bool after_consonant_ = false, linked_ = false;  // a consonant, and marks of conjuncts since; a linker among those
  bool after_emoji_ = false;                       // an emoji, and marks since, of which the last may be a joiner
  bool odd_regionals_ = false;
};

}  // namespace detail

ENTRAIN_INLINE std::size_t end_of_grapheme(std::string_view text, std::size_t at) noexcept {
  CodePoint next = decode(text, at);
  detail::Cluster cluster(next.cp);
  for (at += next.bytes; at < text.size(); at += next.bytes) {
    next = decode(text, at);
    if (!cluster.continues(next.cp)) break;
  }
  return at;
}

}  // namespace entrain::text
