// [text] > batch > embed > encode > head > optim > checkpoint
//
// Annotated text as Python programs print it: each line is a text, a TAB, and a list of its entities. Read records.hpp
// first.
#pragma once
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/records/records.hpp"

namespace entrain::text {

/// A format of Records. A line is
///
///   text TAB [(0, 3, "PER"), (7, 13, 'LOC')]
///   text TAB {"entities": [[0, 3, "PER"], [7, 13, "LOC"]]}
///   ("text", {"entities": [(0, 3, "PER"), (7, 13, "LOC")]}),
///
/// The text before the TAB is taken unchanged and may contain TABs: the last TAB ends it. The list is a Python literal:
/// round or square brackets, strings in either quotes with Python's escapes, an optional comma after the last value,
/// blanks anywhere between. A string after the third value of an entity is compared with the text at its place. In a
/// dictionary, as spaCy's training data has it, the reader uses "entities", "spans", "label" or "labels" and skips
/// other keys. In a dictionary an entity may be a dictionary with the keys of JSON Lines, and None, or null, is no
/// entity.
///
/// source    The Python Language Reference 3.11, section 2.4, as far as Python's repr() goes
struct AnnotatedLine {
  /// throws    entrain.text.40: no such list    .42: no TAB, an entity without a type, entities under another key
  ENTRAIN_INLINE static void read(std::string_view bytes, const Where& where, const RecordOptions& options,
                                  Record& record);
};

/// A source: reads files of annotated text, with the options, counts and errors of all Records.
template <TagScheme Scheme = Bioes, WordSplitter Words = UnicodeWords, SentenceSplitter Sentences = UnicodeSentences>
using AnnotatedText = Records<AnnotatedLine, Scheme, Words, Sentences>;

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/records/annotated_text.ipp"
#endif
