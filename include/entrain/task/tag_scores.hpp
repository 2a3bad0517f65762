// text > batch > [task] > head > optim > checkpoint
//
// Scores of predicted tags against gold, sentence by sentence as they are predicted.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/score/scores.hpp"
#include "entrain/task/tagged.hpp"
#include "entrain/text/scheme.hpp"

namespace entrain::task {

/// Both readings of the entity scores. `types` and `scheme` are the model's; gold, which the caller keeps, is read as
/// it is written in the file, in the file's own scheme; its entities are compared with those that the model predicted:
/// two neighbours of one type stay two, also where the file is in IO. So this equals seqeval on the gold file and on
/// what `predict` writes.
class TagScores {
 public:
  ENTRAIN_PART TagScores(const Tagged& gold, const std::vector<std::string>& types, text::SchemeId scheme);
  ENTRAIN_PART ~TagScores();
  /// tags      of sentence s, one for every word
  ENTRAIN_PART void sentence(std::size_t s, std::span<const text::Tag> tags);
  ENTRAIN_PART score::Scores scores() const;
  /// What evaluations are compared by: strict micro F1.
  static double score(const score::Scores& scores) { return scores.strict.micro().figures().f1; }

 private:
  struct Counting;
  std::unique_ptr<Counting> counting_;
};

/// Of task::Tagging<S>.
template <text::TagScheme S> class TagScorer : public TagScores {
 public:
  TagScorer(const Tagged& gold, const text::Labels<S>& labels)
      : TagScores(gold, labels.types().names(), text::scheme_of<S>()) {}
};

}  // namespace entrain::task

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/task/tag_scores.ipp"
#endif
