// [text] > batch > embed > encode > head > optim > checkpoint
//
// Repairs the labels of JSON Lines by the rules `form` and `case`. All bytes outside of a changed label stay unchanged;
// every change is listed. repair_conll.hpp does the same for CoNLL files.
#pragma once
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/check/repair_rules.hpp"
#include "entrain/text/records/labelled_json.hpp"  // LabelledKeys
#include "entrain/text/records/record.hpp"
#include "entrain/text/tags/usual_labels.hpp"

namespace entrain::text {

/// Repairs the labels of entities and the tags of one file with a JsonRecord a line.
///
/// A line that is not such a record, is not UTF-8 or was not accepted stays unchanged. So does a tag that is a number,
/// and a label that would become empty. The new string has the escapes that JSON needs; if the old one had characters
/// as \u and was ASCII, so is the new one. Change has both as they are in the file, with their quotes.
///
/// bytes         the file, decompressed
/// usual         the usual labels of all files together
/// types_alone   all of its tags are O or types without a prefix (read_types_alone)
ENTRAIN_INLINE Repaired repair_json(std::string_view name, std::string_view bytes, const UsualLabels& usual,
                                    const RecordOptions& options, bool types_alone = false);

/// Repairs the labels of one file of LabelledJson in the same way. A label that is true or false becomes a string if it
/// changes.
ENTRAIN_INLINE Repaired repair_labelled_json(std::string_view name, std::string_view bytes, const UsualLabels& usual,
                                             const LabelledKeys& keys);

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/check/repair_json.ipp"
#endif
