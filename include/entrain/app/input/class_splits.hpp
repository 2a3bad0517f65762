// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Reads files of texts with classes and examines them: the warnings that a user should see before a model is trained on
// them. Read splits.hpp for tags.
#pragma once
#include <string>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/task/class_scores.hpp"
#include "entrain/task/tagged.hpp"
#include "entrain/text/corpus/corpus.hpp"

namespace entrain::app {

/// Texts with a class each: CSV, TSV or JSON Lines, one corpus. Texts without a word are left out, and are in problems.
///
/// by_words  words are split by rules (text::UnicodeWords), else at white space, as a tokenizer splits them itself
/// layout    receives how the first file was read
/// throws    what format_of and the format's reader throw; entrain.app.86: another format; .87: no text
ENTRAIN_INLINE text::Corpus read_texts_with_classes(const std::string& path, const Reading& reading, bool by_words,
                                                    std::string* layout = nullptr);

/// The same, printed as read_split prints tags; the types of the result are the classes, in the order of their bytes.
/// split: its name in messages.
ENTRAIN_INLINE task::Tagged read_classes(const std::string& split, const std::string& path, const Reading& reading,
                                         bool by_words, Console& console);

/// Warns of one class only, and of classes that are not among `known`, those of the model.
ENTRAIN_INLINE void warn_about_classes(const task::Tagged& split, const std::vector<std::string>& known,
                                       Console& console);

/// Prints scores as a table or as JSON, on standard output.
ENTRAIN_INLINE void print_scores(const task::ClassScores& scores, const Settings& s);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/input/class_splits.ipp"
#endif
