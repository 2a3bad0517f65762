// [text] > batch > embed > encode > head > optim > checkpoint
//
// Words whose last character is a dot that belongs to them. The word splitter keeps that dot in the word, and the
// sentence splitter does not take it for the end of a sentence. A list can never be complete; these are frequent in
// English, Danish, German, Spanish, French and Portuguese.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "entrain/text/unicode/unicode.hpp"  // lower

namespace entrain::text {

enum class Abbreviation : std::uint8_t {
  none,
  anywhere,       // etc. Inc. kr.: may be the last word of a sentence
  before_name,    // Mr. Dr. Sra.: a name follows, the sentence continues
  before_number,  // No. 5, fig. 3, Dec. 25: an abbreviation only if a number follows, else an ordinary word
};

namespace detail {

struct Abbreviated {
  std::string_view word;
  Abbreviation kind;
};

/// Sorted by bytes. A lower-case entry matches the word in any case. An entry with a capital matches only that
/// spelling, because "maj" is a month in Danish and "Maj" is a rank.
inline constexpr auto abbreviations = [] {
  using enum Abbreviation;
  auto list = std::to_array<Abbreviated>({
      {"approx", anywhere},    {"al", anywhere},
      {"ave", anywhere},       {"bl.a", anywhere},
      {"blvd", anywhere},      {"bros", anywhere},
      {"bzw", anywhere},       {"ca", anywhere},
      {"cf", anywhere},        {"co", anywhere},
      {"corp", anywhere},      {"dept", anywhere},
      {"esq", anywhere},       {"etc", anywhere},
      {"f.eks", anywhere},     {"fhv", anywhere},
      {"ggf", anywhere},       {"hhv", anywhere},
      {"hrs", anywhere},       {"inc", anywhere},
      {"jf", anywhere},        {"jfr", anywhere},
      {"jr", anywhere},        {"kl", anywhere},
      {"kr", anywhere},        {"kvm", anywhere},
      {"ltd", anywhere},       {"m.fl", anywhere},
      {"mia", anywhere},       {"mill", anywhere},
      {"mio", anywhere},       {"osv", anywhere},
      {"pct", anywhere},       {"ph.d", anywhere},
      {"pr", anywhere},        {"stk", anywhere},
      {"tel", anywhere},       {"tlf", anywhere},
      {"usw", anywhere},       {"vs", anywhere},
      {"Av", before_name},     {"Capt", before_name},
      {"Cmdr", before_name},   {"Col", before_name},
      {"Cpl", before_name},    {"Gen", before_name},
      {"Gov", before_name},    {"Hon", before_name},
      {"Chr", before_name},    {"Kgs", before_name},
      {"Lt", before_name},     {"Maj", before_name},
      {"Messrs", before_name}, {"Mlle", before_name},
      {"Mme", before_name},    {"Mt", before_name},
      {"Pres", before_name},   {"Rep", before_name},
      {"Rev", before_name},    {"Sen", before_name},
      {"Sgt", before_name},    {"St", before_name},
      {"Ste", before_name},    {"kgl", before_name},
      {"dr", before_name},     {"dra", before_name},
      {"mr", before_name},     {"mrs", before_name},
      {"ms", before_name},     {"prof", before_name},
      {"sr", before_name},     {"sra", before_name},
      {"srta", before_name},   {"apr", before_number},
      {"art", before_number},  {"aug", before_number},
      {"chap", before_number}, {"dec", before_number},
      {"eq", before_number},   {"feb", before_number},
      {"fig", before_number},  {"figs", before_number},
      {"jan", before_number},  {"jul", before_number},
      {"jun", before_number},  {"mar", before_number},
      {"no", before_number},   {"nos", before_number},
      {"nov", before_number},  {"nr", before_number},
      {"oct", before_number},  {"p", before_number},
      {"pp", before_number},   {"p\u00e1g", before_number},
      {"sec", before_number},  {"sep", before_number},
      {"sept", before_number}, {"s\u00e9c", before_number},
      {"vol", before_number},
  });
  std::ranges::sort(list, {}, &Abbreviated::word);
  return list;
}();

inline Abbreviation listed(std::string_view word) noexcept {
  const auto at = std::ranges::lower_bound(abbreviations, word, {}, &Abbreviated::word);
  return at != abbreviations.end() && at->word == word ? at->kind : Abbreviation::none;
}

/// Indexed by the first letter in lower case: one bit for each length of an abbreviation that begins with the letter.
inline constexpr auto abbreviated_lengths = [] {
  std::array<std::uint16_t, 26> lengths{};
  for (const Abbreviated& a : abbreviations)
    lengths[static_cast<std::size_t>((a.word[0] | 0x20) - 'a')] |= static_cast<std::uint16_t>(1u << a.word.size());
  return lengths;
}();

/// Whether a word with this first letter and length may be in the list; most words are not.
inline bool may_be_listed(std::string_view word) noexcept {
  if (ascii_run(word) < word.size()) return true;  // a letter may become shorter in lower case
  const auto letter = static_cast<unsigned>((word[0] | 0x20) - 'a');
  return letter < abbreviated_lengths.size() && (abbreviated_lengths[letter] >> word.size() & 1) != 0;
}

}  // namespace detail

/// The kind of abbreviation that a word is, given without its last dot: "Mr", "etc", "f.eks".
inline Abbreviation abbreviation(std::string_view word) noexcept {
  constexpr std::size_t longest = 8;
  if (word.empty() || word.size() > longest || !detail::may_be_listed(word)) return Abbreviation::none;
  if (const Abbreviation as_written = detail::listed(word); as_written != Abbreviation::none) return as_written;
  std::array<char, lower_capacity(longest)> lowered;
  return detail::listed({lowered.data(), lower(word, lowered)});
}

}  // namespace entrain::text
