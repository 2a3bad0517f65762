// [text] > batch > embed > encode > head > optim > checkpoint
//
// Words and sentences that a record brings, and what it must not say at once. Read record.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/text/offsets.hpp"
#include "entrain/text/record.hpp"
#include "entrain/text/token.hpp"

namespace entrain::text {

/// throws    entrain.text.42: tags beside entities, tags without words, words with neither, no words at all ...
ENTRAIN_PART void refuse_contradictions(const Record& record, const Where& where);

/// The words that a record brings, in the text that is returned: the record's own, or the words, back to back (apart
/// from each other where annotations count them, so that messages can be read).
///
/// blank     words by places that are white space are left out and counted, unless tags or sentences count them; of
///           words that are counted, one may also be empty
/// odd       a word whose own text is not that of its place, the first one, in a sentence; else empty
/// throws    entrain.text.42: places that are not from left to right inside the text, or words that are not in it
ENTRAIN_PART std::string_view given_words(Record& record, const Where& where, OffsetUnit unit,
                                          std::vector<Token>& words, std::uint64_t& blank, std::string& odd);

/// Where the words of a record that counts them stand in its text; whether they do, in this order, with nothing but
/// white space between. One that is empty or white space itself is not looked for: then they do not. If they do not,
/// `words` holds nothing of use.
ENTRAIN_PART bool find_words(const Record& record, std::vector<Token>& words);

/// throws    entrain.text.42: lengths whose sum is not `words`
ENTRAIN_PART void given_sentences(const Record& record, const Where& where, std::size_t words,
                                  std::vector<Sentence>& sentences);

}  // namespace entrain::text

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/text/record_words.ipp"
#endif
