// [text] > batch > embed > encode > head > optim > checkpoint
//
// The features of a word for the light model: four attributes, with spaCy's names, each as a 64-bit id. Read
// core/hash.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"           // ENTRAIN_INLINE
#include "entrain/text/unicode/unicode.hpp"  // class_of, is_letter, is_digit

namespace entrain::text {

/// The ids of a word's attributes. An empty word has id 0 in each.
struct WordFeatures {
  std::uint64_t norm;    // lower case
  std::uint64_t prefix;  // first code point
  std::uint64_t suffix;  // last three code points
  std::uint64_t shape;   // Xx for letters, d for digits, others themselves: "McDonald's2" is "XxXxxxx'xd"

  friend bool operator==(const WordFeatures&, const WordFeatures&) = default;
};

/// A word of this many code points or more has the shape LONG, as in spaCy. Its other attributes are unchanged.
inline constexpr std::size_t long_word = 100;
inline constexpr std::size_t shape_capacity = 4 * long_word;  // most bytes of a shape

namespace detail {

/// The shape's code point for a code point of a word: X upper case, x another letter, d a digit, else itself.
constexpr char32_t shape_of(char32_t cp) noexcept {
  const Class c = class_of(cp);
  if (is_letter(c)) return c == Class::upper ? U'X' : U'x';
  return is_digit(cp) ? U'd' : cp;
}

/// Keeps at most four equal code points of a run.
struct ShapeRun {
  char32_t last = ~char32_t{0};
  int length = 0;

  constexpr bool keep(char32_t shape) noexcept {
    length = shape == last ? length + 1 : 1;
    last = shape;
    return length <= 4;
  }
};

}  // namespace detail

/// The four ids of a word, in one pass for ASCII words. Allocates only for a word of more than 256 bytes that is not
/// all ASCII.
///
///   London   norm id("london")  prefix id("L")  suffix id("don")  shape id("Xxxxx"): a run ends at four
///
/// source    spaCy 3.8, lang/lex_attrs.py. Two differences: lower case is simple, so no final sigma and U+0130 is i;
///           and NORM has no list of exceptions, which in spaCy differs by language.
ENTRAIN_INLINE WordFeatures features(std::string_view word);

/// Two more attributes, which spaCy's embedding does not use: both ends of the word in lower case.
struct Affixes {
  std::uint64_t prefix3;  // first three code points
  std::uint64_t suffix2;  // last two

  friend bool operator==(const Affixes&, const Affixes&) = default;
};

///   London   prefix3 id("lon")  suffix2 id("on")
ENTRAIN_INLINE Affixes affixes(std::string_view word) noexcept;

/// The shape as text, for messages and tests.
inline std::string shape(std::string_view word) {
  if (count_code_points(word) >= long_word) return "LONG";
  std::string out;
  detail::ShapeRun run;
  for (std::size_t at = 0; at < word.size();) {
    const CodePoint p = decode(word, at);
    at += p.bytes;
    char bytes[4];
    const char32_t of = detail::shape_of(p.cp);
    if (run.keep(of)) out.append(bytes, encode(of, bytes));
  }
  return out;
}

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/corpus/features.ipp"
#endif
