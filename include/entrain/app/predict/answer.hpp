// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The part of prediction that depends on no type: it reads text in any format and writes entities as a stream. Each
// chunk of lines is answered before the next one is read.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "entrain/app/options/settings.hpp"
#include "entrain/batch/encode/gaps.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/predict/splitting.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::app {

/// A model as the code that handles texts sees it.
struct PredictBackend {
  predict::Splitting splitting;
  std::vector<std::string> types;
  text::SchemeId scheme = text::SchemeId::bio;
  std::vector<std::string> notes;  // warnings for the user
  bool in_parts = false;           // a sentence longer than a batch is tagged in parts
  const void* tagger = nullptr;    // only tag_all knows its type
  /// Gives every word a tag; returns the same as predict::Tagger::tags.
  batch::Unread (*tag_all)(const void* tagger, const text::Corpus&, std::vector<text::Tag>&) = nullptr;
};

/// `predict FILE ...`: every line of a text file is one text. So is every sentence of a CoNLL file, every record of
/// JSON Lines or annotated text, and every text of a table. format_of decides the format of a file.
///
/// throws    what format_of, text::read_conll, JsonRecord, AnnotatedLine, Csv, Lines and Output throw
ENTRAIN_INLINE int answer(const PredictBackend& model, const Settings& s);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/predict/answer.ipp"
#endif
