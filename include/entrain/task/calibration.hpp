// text > batch > [task] > head > optim > checkpoint
//
// The result of a calibration: a change of a trained model that raises its score on the dev split.
#pragma once
#include <cstddef>

namespace entrain::task {

/// An evaluating function throws it to stop a training before the evaluation is complete.
struct EvaluationStopped {};

struct Calibration {
  static constexpr double worth = 0.01;  // the smallest gain for which a shift is kept; a smaller one may be chance

  double shift = 0;      // in logits; tagging adds it to the bias of every tag that opens an entity. each_label: the
                         // largest size of a shift
  double score = 0;      // with it
  double unshifted = 0;  // the score without it
  double best = 0;       // the best shift that was tried, kept or not; 0: none scored more than unshifted
  double best_score = 0;
  double largest = 0;       // shift that was tried; 0: none was tried
  bool stopped = false;     // by an EvaluationStopped; the shift is 0 then
  bool each_label = false;  // each label has a shift of its own: classes of which a text has any number
  std::size_t shifted = 0;  // labels with a shift that is not 0

  /// Whether a larger shift than all that were tried may be better still.
  bool at_end() const { return !each_label && shift > 0 && shift == largest; }
};

/// In an Evaluation: there is no such function.
struct NoFunction {};

/// A function that evaluates, and those that a calibration may also call.
///
/// evaluate()          -> double; may throw EvaluationStopped
/// shifts_of_last()    -> const std::vector<double>&, what the last call found for each class (ClassScores::shift)
/// shifted(of_label, shifts)
///                     -> std::vector<double>: the score with each of these shifts, if shift * of_label[label] is added
///                     to the score of each label. The encoder reads once. May throw EvaluationStopped
template <class Evaluate, class ShiftsOfLast = NoFunction, class Shifted = NoFunction> struct Evaluation {
  Evaluate evaluate;
  ShiftsOfLast shifts_of_last;
  Shifted shifted;
  double operator()() { return evaluate(); }
};
template <class Evaluate, class ShiftsOfLast, class Shifted> Evaluation(Evaluate, ShiftsOfLast, Shifted)
    -> Evaluation<Evaluate, ShiftsOfLast, Shifted>;

}  // namespace entrain::task
