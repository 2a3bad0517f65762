// text > batch > [task] > head > optim > checkpoint
//
// Scores of predicted classes against gold, text by text as they are predicted.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/task/classes.hpp"
#include "entrain/text/corpus/corpus.hpp"

namespace entrain::task {

/// Counts of one class.
struct ClassCount {
  std::uint64_t gold = 0, predicted = 0, correct = 0;

  double precision() const { return predicted == 0 ? 0 : double(correct) / double(predicted); }
  double recall() const { return gold == 0 ? 0 : double(correct) / double(gold); }
  double f1() const { return gold + predicted == 0 ? 0 : 2 * double(correct) / double(gold + predicted); }
};

/// Everything that a ClassScorer has counted.
struct ClassScores {
  std::vector<std::string> names;  // the model's classes, then those of gold that the model does not have
  std::size_t known = 0;           // how many of them are the model's
  bool exclusive = true;           // a text has one class
  std::vector<ClassCount> of;      // each class
  std::vector<double> auc;         // each class of the model: the area under the ROC curve; NaN: gold has one side only
  std::uint64_t texts = 0, exact = 0;    // texts, and those whose classes are all right
  std::vector<std::uint64_t> confusion;  // [gold, predicted] if a text has one class and there are few
  /// Of each class of the model, where a text has any number of classes: what its score must be raised by so that the
  /// threshold 1/2 gives it the best F1 on these texts. 0: 1/2 is as good, or gold has one side only.
  std::vector<double> shift;

  double accuracy() const { return texts == 0 ? 0 : double(exact) / double(texts); }
  /// Over all classes of all texts: for a text of one class, the same number as accuracy.
  ClassCount micro() const {
    ClassCount all;
    for (const ClassCount& c : of) all.gold += c.gold, all.predicted += c.predicted, all.correct += c.correct;
    return all;
  }
  /// The mean of f1() over the classes that occur in gold or in predictions, as sklearn's f1_score(average="macro").
  ENTRAIN_INLINE double macro_f1() const;
  /// The mean of auc over the classes that have one; NaN if none has.
  ENTRAIN_INLINE double macro_auc() const;
  /// The number of confusion's rows and columns.
  std::size_t classes() const { return names.size(); }
};

/// A class of gold that is not among the model's counts as missed. A text without a class is not scored where a text
/// has exactly one class; else it has none of them.
class ClassScorer {
 public:
  /// `gold` outlives the scorer.
  ENTRAIN_INLINE ClassScorer(const text::Corpus& gold, const Classes& labels, bool exclusive);
  ENTRAIN_INLINE ~ClassScorer();
  /// p         a probability for each of the model's classes. Predicted is the largest of them, the first of equals;
  ///           or, where a text has any number of classes, all from 1/2
  ENTRAIN_INLINE void sentence(std::size_t s, std::span<const float> p);
  ENTRAIN_INLINE ClassScores scores() const;
  /// The score by which evaluations are compared: accuracy, or micro F1 where a text has any number of classes.
  static double score(const ClassScores& scores) { return scores.exclusive ? scores.accuracy() : scores.micro().f1(); }

 private:
  struct Counting;
  std::unique_ptr<Counting> counting_;
};

}  // namespace entrain::task

#if !defined(ENTRAIN_COMPILED)
#include "entrain/task/class_scores.ipp"
#endif
