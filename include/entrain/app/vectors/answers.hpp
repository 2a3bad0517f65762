// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The commands of word vectors that need no trainer, and the files of `train`.
#pragma once
#include <string>
#include <vector>

#include "entrain/app/vectors/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/vectors/word_vectors.hpp"

namespace entrain::app {

/// `nearest FILE WORD ...`: for each word lines of a word, TAB, and its cosine; several words: the word in a line
/// first.
ENTRAIN_INLINE int nearest_words(const VectorSettings& s);

/// `analogy FILE A B C`: the same for b - a + c; or --questions: for each kind the share of right answers.
ENTRAIN_INLINE int analogies(const VectorSettings& s);

/// The files of the patterns. Refuses files that can be read once only, and an output that is one of them.
///
/// throws    entrain.app.81; entrain.app.90: standard input or a pipe; what text::file_list throws;
///           entrain.checkpoint.1 to .4: the output cannot be written
ENTRAIN_INLINE std::vector<std::string> text_files(const VectorSettings& s);

ENTRAIN_INLINE void save_vectors(const VectorSettings& s, const entrain::vectors::WordVectors& vectors);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/vectors/answers.ipp"
#endif
