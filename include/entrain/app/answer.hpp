// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// What of prediction no type decides: text in, in whatever format, and entities out, as they come: a chunk of lines is
// answered before the next is read.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "entrain/app/settings.hpp"
#include "entrain/batch/gaps.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/predict/splitting.hpp"
#include "entrain/text/corpus.hpp"
#include "entrain/text/scheme.hpp"

namespace entrain::app {

/// A model, seen from its texts.
struct Answerer {
  predict::Splitting splitting;
  std::vector<std::string> types;
  text::SchemeId scheme = text::SchemeId::bio;
  std::vector<std::string> notes;  // what the user should hear
  bool in_parts = false;           // a sentence longer than a batch is read in parts
  const void* tagger = nullptr;    // whose type only tag_all knows
  /// A tag for every word; returns what predict::Tagger::tags does.
  batch::Unread (*tag_all)(const void* tagger, const text::Corpus&, std::vector<text::Tag>&) = nullptr;
};

/// `predict FILE ...`: every line of a text is a text of its own, and so is every sentence of a CoNLL file, every
/// record of JSON Lines or annotated text, and every text of a table. What a file is format_of says.
///
/// throws    what format_of, text::read_conll, JsonRecord, AnnotatedLine, Csv, Lines and Output throw
ENTRAIN_PART int answer(const Answerer& model, const Settings& s);

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/answer.ipp"
#endif
