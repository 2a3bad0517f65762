// text > batch > kernel > [vectors] > embed > train > app
//
// Files of word vectors, in and out:
//
//   word2vec text      "27580 100", then a line for each word: the word and its numbers; also fastText's .vec
//   word2vec binary    the same first line, then a word, a space, and its numbers as 4 bytes each, little-endian
//   GloVe text         lines as word2vec's, without the first one
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/vectors/word_vectors.hpp"

namespace entrain::vectors {

/// detect: by the first bytes. text: with or without a first line of two counts.
enum class Format : std::uint8_t { detect, text, binary };

struct ReadOptions {
  Format format = Format::detect;
  std::size_t most_words = 0;  // the first words of the file, the most frequent ones; 0: all
};

/// Reads word vectors, plain or compressed by gzip or zstd; "-": standard input. Rows are read one at a time.
///
/// A word may contain spaces, as some of GloVe's do, if what is between them is not a number.
///
/// throws    entrain.vectors.3   the first line is wrong, or its counts differ from the rows
///           entrain.vectors.4   a row with another number of numbers, or without a word
///           entrain.vectors.5   not a number            entrain.vectors.6   NaN, infinity, or beyond fp32
///           entrain.vectors.7   a word again            entrain.vectors.8   the file ends inside of a row
///           entrain.vectors.9   a word that is not UTF-8
///           entrain.text.1 to .4 and .33 to .35 as text::ByteStream, .45 as text::refuse_no_room
ENTRAIN_INLINE WordVectors read_vectors(const std::string& path, const ReadOptions& options = {});

/// Writes a file that exists completely or not at all (checkpoint/atomic_file.hpp). Text has as many digits as a reader
/// needs for the same bits.
///
/// throws    entrain.vectors.10  a word with a space or a line end, or an empty one
///           entrain.checkpoint.1 to .4 as AtomicFile
ENTRAIN_INLINE void write_vectors(const std::string& path, const WordVectors& vectors, Format format = Format::text);

}  // namespace entrain::vectors

#if !defined(ENTRAIN_COMPILED)
#include "entrain/vectors/files.ipp"
#endif
