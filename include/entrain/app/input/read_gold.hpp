// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The gold of a task from files in any of its formats, for programs that have no commands. It prints nothing: how a
// file was read, and what was left out, is in the result.
#pragma once
#include <string>
#include <type_traits>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/task/contract.hpp"
#include "entrain/task/read_tags.hpp"
#include "entrain/text/corpus/corpus.hpp"

namespace entrain::app {

/// Sentences of words with tags: columns, JSON Lines or annotated text, by the file's name and how it begins. Lines
/// that are not read are in corpus.problems.
///
/// path      a file, or a pattern for several
/// throws    what read_whole and task::tagged throw
ENTRAIN_INLINE task::Tagged read_tagged(const std::string& path);

/// Texts with a class each: CSV, TSV or JSON Lines. Texts without a word are in problems.
///
/// by_words  words are split by rules (text::UnicodeWords), else at white space, as a tokenizer splits them itself
/// throws    what read_texts_with_classes throws
ENTRAIN_INLINE text::Corpus read_classified(const std::string& path, bool by_words);

}  // namespace entrain::app

namespace entrain::train {

/// The gold that a trainer's task learns, from a file.
template <class Trainer> typename Trainer::Task::Gold read(const std::string& path) {
  using Gold = typename Trainer::Task::Gold;
  static_assert(std::is_same_v<Gold, task::Tagged> || std::is_same_v<Gold, text::Corpus>,
                "entrain: train::read knows the files of tagging and classification; read the gold of another task "
                "yourself, and give it to train::Training.");
  if constexpr (std::is_same_v<Gold, task::Tagged>)
    return app::read_tagged(path);
  else if constexpr (std::is_same_v<Gold, text::Corpus>)
    return app::read_classified(path, Trainer::Features::by_words);
}

}  // namespace entrain::train

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/input/read_gold.ipp"
#endif
