// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Files of sentences made ready: read, their tag scheme found and said, the label set collected from training, gold
// tags kept as they stood in the file. Read targets.hpp for what they become.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/text/corpus.hpp"
#include "entrain/text/detect.hpp"
#include "entrain/text/labels.hpp"
#include "entrain/text/scheme.hpp"

namespace entrain::train {

/// How tag sequences are taken. scheme: empty finds it out. repair: what to do with tags that break it.
struct TagOptions {
  std::string scheme;
  std::string repair = "conlleval";
};

/// A tagged corpus with its scheme: what every split starts as.
struct Tagged {
  text::Corpus corpus;
  text::SchemeId scheme = text::SchemeId::bio;
  std::vector<text::Mark> marks;   // one for each distinct tag string; types index `types`
  text::Types types;               // in order of first sight
  std::vector<std::string> notes;  // what the user should hear: how it was read, which scheme
};

/// What the user should hear of a scheme: which one was found, and how many tags break the one that is taken.
///
/// name      of the file
ENTRAIN_PART std::vector<std::string> scheme_notes(const text::Detection& found, text::SchemeId taken,
                                                   const std::string& name, const std::string& repair);

/// Of a file whose tags other than O are all malformed.
///
/// where     the first of them    throws entrain.train.3
[[noreturn]] ENTRAIN_PART void refuse_unread_tags(const std::string& where, std::string_view tag, std::size_t lines);

/// throws    what read_conll throws; entrain.train.1 if there is no token; entrain.train.2 if there are no tags; .3 if
/// none
///           but O can be read
ENTRAIN_PART Tagged tagged(text::Corpus corpus, const TagOptions& options);

/// The entity types of training, in the order in which the file first names them: those that the model can learn.
inline std::vector<std::string> entity_types(const Tagged& t) { return t.types.names(); }

}  // namespace entrain::train

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/train/data.ipp"
#endif
