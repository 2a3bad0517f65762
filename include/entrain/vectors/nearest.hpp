// text > batch > kernel > [vectors] > embed > train > app
//
// The words nearest to a word, and analogies: "he is to she as king is to ...".
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/vectors/word_vectors.hpp"

namespace entrain::vectors {

struct Neighbour {
  text::Vocabulary::Id word;
  double cosine;
};

/// Analogies of one kind: how many of them were right.
struct AnalogyScore {
  std::string kind;
  std::uint64_t right = 0, questions = 0;
  std::uint64_t unknown = 0;  // questions left out, with a word that has no vector
};

/// Compares words by the cosine of their vectors.
///
/// memory    a copy of the vectors, each of length 1
class Nearest {
 public:
  /// vectors       outlives this object
  /// most_words    answers are among the first words, the most frequent ones; 0: all
  ENTRAIN_INLINE explicit Nearest(const WordVectors& vectors, std::size_t most_words = 0);

  /// The `count` words nearest to a word, without itself, the nearest first. Words at the same distance are in the
  /// order of the vectors.
  ///
  /// throws    entrain.vectors.20: the word has no vector
  ENTRAIN_INLINE std::vector<Neighbour> to(std::string_view word, std::size_t count) const;

  /// a is to b as c is to the answers: the words nearest to b - a + c, without these three.
  ///
  /// throws    entrain.vectors.20
  /// source    Mikolov, Yih, Zweig 2013, "Linguistic regularities in continuous space word representations", section 4
  ENTRAIN_INLINE std::vector<Neighbour> analogy(std::string_view a, std::string_view b, std::string_view c,
                                                std::size_t count) const;

  /// Answers the analogies of a file: lines of four words, after a line ": kind" for each kind, as questions-words.txt.
  ///
  /// throws    entrain.vectors.21: a line that has not four words; entrain.text.1 to .5 as text::read_file
  ENTRAIN_INLINE std::vector<AnalogyScore> score(const std::string& file) const;

  std::string_view spelling(Neighbour n) const { return vectors_->words[n.word]; }

 private:
  using Id = text::Vocabulary::Id;
  ENTRAIN_INLINE Id find(std::string_view word) const;
  ENTRAIN_INLINE std::vector<Neighbour> near(const std::vector<float>& place, std::span<const Id> without,
                                             std::size_t count) const;
  ENTRAIN_INLINE std::vector<float> place_of(Id a, Id b, Id c) const;
  std::span<const float> unit(std::size_t word) const {
    return {unit_.data() + word * vectors_->width, vectors_->width};
  }

  const WordVectors* vectors_;
  std::size_t most_;
  std::vector<float> unit_;
};

}  // namespace entrain::vectors

#if !defined(ENTRAIN_COMPILED)
#include "entrain/vectors/nearest.ipp"
#endif
