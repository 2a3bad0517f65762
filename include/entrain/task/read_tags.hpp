// text > batch > [task] > head > optim > checkpoint
//
// Prepares the gold tags of a file: detects and reports their scheme, collects the entity types, and keeps the tags as
// they are in the file. Read tag_targets.hpp for how they are converted.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/task/tagged.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tags/detect.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::task {

/// How tag sequences are read. scheme: empty means that it is detected. repair: how tags that break it are treated.
struct TagOptions {
  std::string scheme;
  std::string repair = "conlleval";
};

/// Messages for the user about a scheme: which ones fit, in which the tags are read, and how many tags break the one
/// that is used.
///
/// name      of the file
ENTRAIN_INLINE std::vector<std::string> scheme_notes(const text::Detection& found, text::SchemeId taken,
                                                     const std::string& name, const std::string& repair);

/// Refuses a file whose tags other than O are all malformed.
///
/// where     the first of them    throws entrain.train.3
[[noreturn]] ENTRAIN_INLINE void refuse_unread_tags(const std::string& where, std::string_view tag, std::size_t lines);

/// throws    what read_conll throws; entrain.train.1 if there is no token; entrain.train.2 if there are no tags
///           entrain.train.3 if no tag but O can be read
ENTRAIN_INLINE Tagged tagged(text::Corpus corpus, const TagOptions& options);

/// The entity types of the training file, in the order in which it first names them: those that the model can learn.
inline std::vector<std::string> entity_types(const Tagged& t) { return t.types.names(); }

}  // namespace entrain::task

#if !defined(ENTRAIN_COMPILED)
#include "entrain/task/read_tags.ipp"
#endif
