// text > [batch] > embed > encode > head > optim > checkpoint
//
// Checks whether numbers from a file make a corpus: every index is inside its range. The loops have no branch, since
// all of a corpus is checked each time that it is opened.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/encode/pieces.hpp"
#include "entrain/batch/encode/words_with_vectors.hpp"

namespace entrain::batch {

namespace detail {
/// Its sign bit is set if n < 0 or n >= bound, of a bound that an int holds: one bit that loops can combine.
constexpr std::uint32_t outside(std::int32_t n, std::uint32_t bound) {
  const auto number = static_cast<std::uint32_t>(n);
  return number | (bound - 1 - number);
}
constexpr bool none_outside(std::uint32_t gathered) { return gathered >> 31 == 0; }

inline bool all_below(std::span<const std::int32_t> numbers, std::uint32_t bound) {
  std::uint32_t wrong = 0;
  for (const std::int32_t n : numbers) wrong |= outside(n, bound);
  return none_outside(wrong);
}
/// The sign bit is set if a row of the word is outside its table of hashes.
template <class Hashed> std::uint32_t outside_tables(const auto& word) {
  std::uint32_t wrong = 0;
  for (std::size_t t = 0; t < Hashed::tables; ++t)
    for (std::size_t h = 0; h < Hashed::hashes; ++h)
      wrong |= outside(word[t * Hashed::hashes + h], static_cast<std::uint32_t>(Hashed::rows[t]));
  return wrong;
}
inline std::string_view fault_of_rows(std::uint32_t gathered) {
  return none_outside(gathered) ? std::string_view() : "a word with a row outside its table";
}
/// Whether targets are below `labels`, or ignored.
inline bool all_targets(std::span<const std::int32_t> targets, std::int32_t ignored, std::uint32_t labels) {
  std::uint32_t wrong = 0;
  for (const std::int32_t t : targets) wrong |= outside(t, labels) & (t == ignored ? 0u : ~0u);
  return none_outside(wrong);
}
/// Whether numbers rise from 0 to `end`, and each step is at least `least` and at most `most`.
inline bool all_steps(std::span<const std::uint32_t> begins, std::size_t end, std::uint32_t least, std::uint32_t most) {
  if (begins.empty() || begins.front() != 0 || begins.back() != end) return false;
  unsigned wrong = 0;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    const std::uint32_t step = begins[i + 1] - begins[i];
    wrong |= static_cast<unsigned>(begins[i + 1] < begins[i]) | static_cast<unsigned>(step < least) |
             static_cast<unsigned>(step > most);
  }
  return wrong == 0;
}
}  // namespace detail

/// The fault of a vocabulary; empty: none. A feature type of another program defines an overload in its namespace.
template <int Hashes, int... R>
std::string_view fault_of(const HashedWords<Hashes, R...>&,
                          const typename HashedWords<Hashes, R...>::Vocabulary& vocabulary) {
  std::uint32_t wrong = 0;
  for (const auto& word : vocabulary) wrong |= detail::outside_tables<HashedWords<Hashes, R...>>(word);
  return detail::fault_of_rows(wrong);
}
template <class Hashed, int Rows>
std::string_view fault_of(const WordsWithVectors<Hashed, Rows>&,
                          const typename WordsWithVectors<Hashed, Rows>::Vocabulary& vocabulary) {
  std::uint32_t wrong = 0;
  for (const auto& word : vocabulary)
    wrong |= detail::outside_tables<Hashed>(word) | detail::outside(word.back(), static_cast<std::uint32_t>(Rows));
  return detail::fault_of_rows(wrong);
}
template <int Positions, int Rows, class Tokenizer, int FirstPosition>
std::string_view fault_of(const Pieces<Positions, Rows, Tokenizer, FirstPosition>& features,
                          const typename Pieces<Positions, Rows, Tokenizer, FirstPosition>::Vocabulary& vocabulary) {
  std::string_view fault;
  std::span<const std::uint32_t> begins;
  const auto look = [&]<class T>(const Column<T>& column) {
    if constexpr (std::is_same_v<T, std::uint32_t>) {
      begins = column;
    } else if (!detail::all_below(column, static_cast<std::uint32_t>(Rows))) {
      fault = "a piece outside the tokenizer's vocabulary";
    } else if (!detail::all_steps(begins, column.size(), 1, static_cast<std::uint32_t>(features.room()))) {
      fault = "a word without pieces, or with more than fit in a window";
    }
  };
  vocabulary.each_column(vocabulary, look);
  return fault;
}

/// The fault of a corpus; empty: none. Without a fault, every batch of it can be packed, and has the stated rows.
///
/// labels    targets are below            Not [[gnu::cold]]: a whole corpus goes through these loops.
template <class Features> [[gnu::noinline]] std::string_view fault_of(const Encoded<Features>& e, int labels) {
  // The most words of a sentence whose rows an int can count, with any number of pieces.
  constexpr int rows_a_word = [] {
    if constexpr (requires { Features::positions; }) return Features::positions;
    return 1;
  }();
  constexpr std::uint32_t most = std::numeric_limits<std::int32_t>::max(), longest = most / rows_a_word;
  if (const std::string_view fault = fault_of(e.features, e.vocabulary); !fault.empty()) return fault;
  const std::size_t words = e.vocabulary.size(), unknown_word_copies = static_cast<std::size_t>(e.unknown_word_copies);
  const auto known = static_cast<std::uint32_t>(labels);
  if (unknown_word_copies > 0 && words != 2 * unknown_word_copies)
    return "a word without its unknown-word copy";  // a negative number is a large unsigned one
  if (words > most) return "too many distinct words";
  if (e.sentence.size() > std::numeric_limits<std::uint32_t>::max()) return "too many sentences";
  if (!detail::all_steps(e.sentence, e.word.size(), 0, longest)) return "a sentence that ends before it begins";
  if (!detail::all_below(e.word, static_cast<std::uint32_t>(unknown_word_copies > 0 ? unknown_word_copies : words)))
    return "a word that is not in the vocabulary";
  if (e.target.size() != e.targets()) return "targets that do not match the words";
  if constexpr (std::is_integral_v<typename Encoded<Features>::Target>)
    if (!detail::all_targets(e.target, Encoded<Features>::ignored, known))
      return "a target that is not among the labels";
  if (!e.in_pieces.empty() && e.in_pieces.size() != known) return "targets of pieces that do not match the labels";
  for (const PieceTargets& of : e.in_pieces)
    if (!detail::all_below(std::array{of.first, of.middle, of.last}, known))
      return "a piece's target that is not among the labels";
  if (e.rows.size() != e.sentences()) return "rows that do not match the sentences";
  unsigned wrong = 0;
  for (std::size_t s = 0; s < e.sentences(); ++s)
    wrong |= static_cast<unsigned>(
        e.rows[s] != e.features.rows_of(std::span(e.word).subspan(e.sentence[s], static_cast<std::size_t>(e.length(s))),
                                        e.vocabulary));
  return wrong != 0 ? "a sentence with a wrong number of rows" : std::string_view();
}

}  // namespace entrain::batch
