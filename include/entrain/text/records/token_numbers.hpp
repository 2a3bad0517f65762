// [text] > batch > embed > encode > head > optim > checkpoint
//
// Compares annotations that give their token numbers, as Prodigy's do, with the tokens at their places. Read record.hpp
// first.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/corpus/token.hpp"
#include "entrain/text/records/record.hpp"

namespace entrain::text {

/// `entity [4, 7) PER covers 'met', but its tokens 0 to 0 are [0, 3) 'Ada'` for each annotation with other tokens.
/// Returns nothing for records without their words, or whose words cannot be counted by their places.
///
/// text, words   of the record, as read                   unit   of its places
ENTRAIN_INLINE std::vector<std::string> other_tokens(const Record& record, std::string_view text,
                                                     std::span<const Token> words, OffsetUnit unit);

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/records/token_numbers.ipp"
#endif
