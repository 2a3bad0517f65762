// text > batch > [embed] > encode > head > optim > checkpoint
//
// Word vectors as one more input of a hash embedding: what unlabelled text says of a word, next to its spelling. From
// any file of word2vec, GloVe or fastText, as `word_vectors train` writes too.
// In: the batch's distinct words. Out: vectors [N,C]. Read multi_hash.hpp first.
#pragma once
#include "entrain/batch/encode/words_with_vectors.hpp"
#include "entrain/embed/multi_hash.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::embed {
namespace detail {
/// The table, with its name in model folders: vectors.weight.
template <class T, int Rows, int Width> struct VectorTable {
  Table<T, Rows, Width> table;
  static void each(auto&& f, auto& w) { f("weight", w.table, init::zeros); }
};
}  // namespace detail

/// A table of word vectors that training does not change, as in spaCy and Flair. Its values come from a file
/// (train/data/vectors.hpp).
///
/// Rows      one more than the words that may have a vector: row 0 is that of the others, and 0
/// Width     numbers of a vector, those of the file
///
/// shapes    vectors.weight [Rows, Width]
template <int Rows, int Width> struct StaticVectors {
  static_assert(Width >= 1, "entrain: embed::StaticVectors<Rows, Width> needs Width >= 1, the numbers of a vector.");
  static constexpr int rows = Rows, width = Width;
  static constexpr bool learns = false;

  template <class T> struct Weights {
    detail::VectorTable<T, Rows, Width> vectors;
    static void each(auto&& f, auto& w) { f.frozen(w.vectors); }
  };
  static const auto& table(const auto& w) { return w.vectors.table; }
};

/// The same table, which training changes; row 0 too. A step costs the rows that its batch reads. The model folder is
/// that of StaticVectors.
///
/// shapes    vectors.weight [Rows, Width]
template <int Rows, int Width> struct TrainedVectors {
  static constexpr int rows = Rows, width = Width;
  static constexpr bool learns = true;
  using Described = StaticVectors<Rows, Width>;

  template <class T> using Weights = detail::VectorTable<T, Rows, Width>;
  static const auto& table(const auto& w) { return w.table; }
};

template <class T> inline constexpr bool is_vectors = false;
template <int Rows, int Width> inline constexpr bool is_vectors<StaticVectors<Rows, Width>> = true;
template <int Rows, int Width> inline constexpr bool is_vectors<TrainedVectors<Rows, Width>> = true;

/// v[u] = dropout(norm(maxout(sum_h NORM[..] | ... | vectors[row of u])));   y[n] = v[word of n]
///
/// Embed     a MultiHash                Vectors   StaticVectors or TrainedVectors
///
/// shapes    vectors [Rows, Width]; table t: [R_t, C]; distinct words [U, tables C + Width] -> [U, C]; y [N,C]
/// saves     what MultiHash saves, the concatenation with the vectors
/// source    spaCy's MultiHashEmbed with include_static_vectors, but without a projection of its own: maxout has one
template <class Embed, class Vectors> struct WithVectors {
  static_assert(sizeof(Embed) == 0,
                "entrain: embed::WithVectors<Embed, Vectors> takes an embed::MultiHash, and embed::StaticVectors<Rows, "
                "Width> or embed::TrainedVectors<Rows, Width>, as in WithVectors<MultiHash<96>, StaticVectors<20000, "
                "100>>; see embed/with_vectors.hpp.");
};

template <int C, int Hashes, int... R, int Pieces, class Vectors>
requires(is_vectors<Vectors>) struct WithVectors<MultiHash<C, batch::HashedWords<Hashes, R...>, Pieces>, Vectors>
    : HashedMix<C, Pieces, batch::WordsWithVectors<batch::HashedWords<Hashes, R...>, Vectors::rows>, Vectors> {
};

}  // namespace entrain::embed
