// text > batch > [task] > head > optim > checkpoint
//
// Scores of predicted tags against gold, sentence by sentence as they are predicted.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/score/scores.hpp"
#include "entrain/task/tagged.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::task {

/// Both readings of the entity scores. `types` and `scheme` are the model's. Gold, which the caller keeps, is read as
/// it is in the file, in the file's own scheme. Its entities are compared with those that the model predicted: two
/// adjacent entities of one type stay two, even if the file is in IO. So this equals seqeval on the gold file and on
/// the output of `predict`.
class TagScores {
 public:
  ENTRAIN_INLINE TagScores(const Tagged& gold, const std::vector<std::string>& types, text::SchemeId scheme);
  ENTRAIN_INLINE ~TagScores();
  /// tags      of sentence s, one for every word
  ENTRAIN_INLINE void sentence(std::size_t s, std::span<const text::Tag> tags);
  ENTRAIN_INLINE score::Scores scores() const;
  /// The score by which evaluations are compared: strict micro F1.
  static double score(const score::Scores& scores) { return scores.strict.micro().figures().f1; }

 private:
  struct Counting;
  std::unique_ptr<Counting> counting_;
};

/// For task::Tagging<S>.
template <text::TagScheme S> class TagScorer : public TagScores {
 public:
  TagScorer(const Tagged& gold, const text::Labels<S>& labels)
      : TagScores(gold, labels.types().names(), text::scheme_of<S>()) {}
};

}  // namespace entrain::task

#if !defined(ENTRAIN_COMPILED)
#include "entrain/task/tag_scores.ipp"
#endif
