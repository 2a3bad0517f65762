// [text] > batch > embed > encode > head > optim > checkpoint
//
// Annotated text as Python programs print it: a line is a text, a TAB, and a list of its entities. Read records.hpp
// first.
#pragma once
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/text/records.hpp"

namespace entrain::text {

/// A format of Records. A line is
///
///   text TAB [(0, 3, "PER"), (7, 13, 'LOC')]
///   text TAB {"entities": [[0, 3, "PER"], [7, 13, "LOC"]]}
///   ("text", {"entities": [(0, 3, "PER"), (7, 13, "LOC")]}),
///
/// Before a TAB the text is as it is, and may hold TABs: the last one ends it. The list is a literal of Python: round
/// or square brackets, strings in either quotes with Python's escapes, a comma after the last value if there is one,
/// blanks anywhere between. A string after the third value of an entity is compared with what is at its place. Of a
/// dictionary, as spaCy trains on, "entities", "spans", "label" or "labels" is read, and other keys are passed over; in
/// it an entity may be a dictionary with the keys of JSON Lines, and None, or null, is no entity.
///
/// source    The Python Language Reference 3.11, section 2.4, as far as Python's repr() goes
struct AnnotatedLine {
  /// throws    entrain.text.40: no such list    .42: no TAB, an entity without a type, entities under another key
  ENTRAIN_PART static void read(std::string_view bytes, const Where& where, const RecordOptions& options,
                                Record& record);
};

/// A source: what stands in files of annotated text, with the options, counts and errors of all Records.
template <TagScheme Scheme = Bioes, WordSplitter Words = UnicodeWords, SentenceSplitter Sentences = UnicodeSentences>
using AnnotatedText = Records<AnnotatedLine, Scheme, Words, Sentences>;

}  // namespace entrain::text

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/text/annotated_text.ipp"
#endif
