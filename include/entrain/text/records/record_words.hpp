// [text] > batch > embed > encode > head > optim > checkpoint
//
// The words and sentences that a record gives, and its contradictions. Read record.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/corpus/token.hpp"
#include "entrain/text/records/offsets.hpp"
#include "entrain/text/records/record.hpp"

namespace entrain::text {

/// throws    entrain.text.42: tags together with entities, tags without words, words with neither, no words at all ...
ENTRAIN_INLINE void refuse_contradictions(const Record& record, const Where& where);

/// The words that a record gives, in the text that is returned: the record's own, or the words, back to back (with
/// blanks between if annotations count them, so that messages can be read).
///
/// blank     words by places that are white space are left out and counted, unless tags or sentences count them; a word
///           that is counted may also be empty
/// odd       the first word whose own text differs from the text at its place, in a sentence for people; else empty
/// throws    entrain.text.42: places that are not from left to right inside the text, words that are not in it, or a
///           part of the text that is in no word and is not white space
ENTRAIN_INLINE std::string_view given_words(Record& record, const Where& where, OffsetUnit unit,
                                            std::vector<Token>& words, std::uint64_t& blank, std::string& odd);

/// Finds the places in its text of the words of a record that counts them. Returns whether they occur in this order
/// with only white space between. An empty or blank word is not searched for: then the result is false. If it is false,
/// `words` is unusable.
ENTRAIN_INLINE bool find_words(const Record& record, std::vector<Token>& words);

/// throws    entrain.text.42: lengths whose sum is not `words`
ENTRAIN_INLINE void given_sentences(const Record& record, const Where& where, std::size_t words,
                                    std::vector<Sentence>& sentences);

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/records/record_words.ipp"
#endif
