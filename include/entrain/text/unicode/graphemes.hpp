// [text] > batch > embed > encode > head > optim > checkpoint
//
// Grapheme clusters: a base with the marks on it, a syllable of jamo, an emoji of several parts, CR and LF. The data is
// in grapheme_tables.hpp. Read utf8.hpp first; tokenizer/charsmap.hpp uses them.
#pragma once
#include <cstddef>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::text {

/// The end of the extended grapheme cluster that begins at `at`.
///
/// requires  at < text.size(), and a cluster begins there: 0, or an earlier result
/// source    Unicode Standard Annex 29, section 3.1.1, rules GB3 to GB13
ENTRAIN_INLINE std::size_t end_of_grapheme(std::string_view text, std::size_t at) noexcept;

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/unicode/graphemes.ipp"
#endif
