// [text] > batch > embed > encode > head > optim > checkpoint
//
// Compares the text that an annotation gives with the text at its place, and finds the unit of its offsets if it is not
// the expected one. Used only for messages.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/corpus/token.hpp"
#include "entrain/text/records/offsets.hpp"

namespace entrain::text {

/// Whether two texts are equal but for case and white space.
ENTRAIN_INLINE bool same_text(std::string_view a, std::string_view b);

/// The place of a string in a text: ` at [0, 2)`, or the number of its occurrences.
///
/// words     of the text, from left to right: among several places, one of whole words has priority
/// unit      unit of the place; of unit `words` the place is [0, 0], if it is whole words
ENTRAIN_INLINE std::string place_of_text(std::string_view text, std::span<const Token> words, std::string_view span,
                                         OffsetUnit unit);

/// `offsets seem to count UTF-16 units: use --offsets utf-16`, if an annotation of another unit than `unit` would hold
/// `own`, or whole words if that is empty. `if offsets count ...` if only UTF-16 is possible. Else nothing.
ENTRAIN_INLINE std::string unit_that_fits(std::string_view text, std::span<const Token> words, std::int64_t begin,
                                          std::int64_t end, std::string_view own, OffsetUnit unit);

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/records/own_text.ipp"
#endif
