// [text] > batch > embed > encode > head > optim > checkpoint
//
// JSON Lines of any size: texts with annotations, and words with tags, in the formats of several tools.
#pragma once
#include "entrain/text/records/json_record.hpp"
#include "entrain/text/records/records.hpp"

namespace entrain::text {

/// A source: reads files of JSON Lines. A line is one of
///
///   {"text": "...", "entities": [{"start": 0, "end": 3, "label": "PER"}, ...]}           entrain; ends exclusive
///   {"text": "...", "spans": [{"start": 0, "end": 3, "label": "PER"}, ...], "answer": "accept"}          Prodigy
///   {"text": "...", "label": [[0, 3, "PER"], ...]}              doccano; also "labels", and "entities" with offsets
///   {"tokens": ["Ada", ...], "ner_tags": ["B-PER", ...]}          Hugging Face; also "tags"; numbers by tag_names
///   {"tokenized_text": ["Ada", ...], "ner": [[0, 0, "PER"], ...]}      GLiNER: words, the last one of each inclusive
///
/// A text may come with its words, as places or as text, and with the number of words of each sentence; else Words and
/// Sentences split it. A text without a list of entities is read as one without entities, counted as unlabelled and
/// listed. A word may be any string, even empty or with a line break inside: `check` reports such words. A half of a
/// surrogate pair is read as U+FFFD. json_record.hpp has all keys, records.hpp the treatment of unusable lines.
template <TagScheme Scheme = Bioes, WordSplitter Words = UnicodeWords, SentenceSplitter Sentences = UnicodeSentences>
using Jsonl = Records<JsonRecord, Scheme, Words, Sentences>;

}  // namespace entrain::text
