// [text] > batch > embed > encode > head > optim > checkpoint
//
// Reads one line of JSON as a record, in the formats of several tools. Read json.hpp and record.hpp first.
#pragma once
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/records/record.hpp"

namespace entrain::text {

/// A format of Records. A line is an object with, in any order,
///
///   "text"                                              a text; null is as if it were absent, here and elsewhere
///   "tokens", "tokenized_text"                          its words, or words alone: ["Ada", ...]; or their places
///                                                       in the text: [[0, 3], ...], [{"start": 0, "end": 3}, ...]
///   "entities", "spans", "label", "labels", "ner"       lists of [0, 3, "PER"] or {"start": 0, "end": 3, "label":
///                                                       "PER"}, also "start_offset" and "end_offset"; null is none
///   "tags", "ner_tags", or any of the lists before      ["B-PER", "O", ...], or numbers by RecordOptions::tag_names
///   "sentences"                                         the number of words of each
///   "answer"                                            an annotator's answer; all but "accept" is left out
///
/// or an array of a text and an object with the other keys. Places in "ner" are those of words, the last one inclusive.
/// Other keys are skipped, and so is a "label" that is not a list, if there is a list of entities. Two lists must not
/// give the same information, and a text or an answer must not be given twice.
///
/// A record without a list of entities or tags is refused if another key seems to hold them, as "annotations", "ents"
/// or "Label" (unread_keys.hpp); if it has such a list, that key is listed. The text of an entity under "text",
/// "surface" or "mention" is compared with the text at its place. A text under "word" or "value", or after its third
/// place, is compared only if it occurs somewhere in the text. The "text" of a word that is given by its place is
/// compared too. "token_start" and "token_end" of an entity, as Prodigy writes them, are compared with the places of
/// the words.
struct JsonRecord {
  /// throws    entrain.text.40: not JSON, or another value than listed above    .42: a list too many, a number that no
  ///           tag_names has, an entity without a type or place, an array instead of an object
  ENTRAIN_INLINE static void read(std::string_view bytes, const Where& where, const RecordOptions& options,
                                  Record& record);
};

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/records/json_record.ipp"
#endif
