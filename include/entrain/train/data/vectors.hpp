// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Word vectors of a composition: read from a file when a training starts, and from its model folder afterwards. Plain
// values only, so that it is compiled once.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/tensor/flat.hpp"
#include "entrain/text/corpus/vocabulary.hpp"
#include "entrain/train/folder/folder.hpp"
#include "entrain/vectors/word_vectors.hpp"

namespace entrain::train {

/// Whether features have rows of word vectors (batch::WordsWithVectors).
template <class Features> inline constexpr bool has_vectors = requires { Features::vector_rows; };

/// The name of the table in a composition.
inline constexpr std::string_view vectors_name = "embed.vectors.weight";

/// The first words of a file and their vectors.
struct VectorFile {
  std::shared_ptr<const text::Vocabulary> words;
  vectors::WordVectors vectors;  // may have one word more
  std::string where;             // the file, for messages
  std::string note;              // for the user: words of the file that have no row
};

/// Refuses a start that lacks vectors, or has some that no table takes. folder, vectors: empty if not given
///
/// throws    entrain.train.64: neither, for a model with vectors      .65: vectors for a model without
ENTRAIN_INLINE void refuse_start(bool has_vectors, const std::string& folder, const std::string& vectors);

/// Reads at most `words` words of a file of word2vec, GloVe or fastText.
///
/// throws    what vectors::read_vectors throws
ENTRAIN_INLINE VectorFile read_vector_file(const std::string& path, int words);

/// Copies vectors to their rows of a table: word i to row i + 1. first: the table's first number.
///
/// throws    entrain.train.61: vectors of another width
ENTRAIN_INLINE void copy_vectors(const VectorFile& file, const Span& table, float* first);
ENTRAIN_INLINE void copy_vectors(const VectorFile& file, const Span& table, double* first);

/// The words of a table, as a model folder holds them: one a line, in the order of the rows.
///
/// throws    entrain.train.66: a word with a line end, after which all rows would be those of other words
ENTRAIN_INLINE Attachment words_to_keep(std::string_view name, const text::Vocabulary& words);
/// The same words again.
///
/// throws    entrain.train.62: the file is missing      .63: an empty line, or a word twice
ENTRAIN_INLINE std::shared_ptr<const text::Vocabulary> kept_words(const std::vector<checkpoint::FolderText>& texts,
                                                                  std::string_view name, const std::string& folder);

/// `embed.vectors.weight` of a layout.
ENTRAIN_INLINE const Span& table_of_vectors(const Layout& layout);

/// Puts the vectors of a file into a trainer, before its first step.
template <class Trainer> [[gnu::cold]] void start_from_vectors(Trainer& trainer, const VectorFile& file) {
  const Span& table = table_of_vectors(trainer.layout());
  copy_vectors(file, table, trainer.values() + table.offset);
  trainer.start_average();
}

}  // namespace entrain::train

#if !defined(ENTRAIN_COMPILED)
#include "entrain/train/data/vectors.ipp"
#endif
