// text > batch > [task] > head > optim > checkpoint
//
// Scores of classes for people, as a table, and for programs, as JSON.
#pragma once
#include <string>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/task/class_scores.hpp"

namespace entrain::score {

/// Percentages to two digits; gold is the support. The pairs of classes that are confused most often follow, where a
/// text has one class.
///
///                    precision  recall      F1     AUC     gold  predicted  correct
///     card_arrival       90.24   92.50   91.36   99.87       40         41       37
///     ...
///     micro               ...
///     macro               ...
///   93.21 % of 3,080 texts have the right class
///   most confused: 4 times top_up_failed as pending_top_up, ...
///
/// A class that is not among the model's is marked with a star.
ENTRAIN_INLINE std::string table(const task::ClassScores& scores);

/// One line. Shares are 0 to 1, in the shortest digits that parse to the same number.
///
///   {"texts":2,"correct":1,"accuracy":0.5,"macro_f1":0.5,"micro":{"precision":..,"recall":..,"f1":..,"gold":..,
///    "predicted":..,"correct":..},"macro_auc":0.97,"classes":{"card_arrival":{..as micro..,"auc":0.99}},
///    "confusion":[["top_up_failed","pending_top_up",4]],"unknown_classes":["odd"]}
ENTRAIN_INLINE std::string json(const task::ClassScores& scores);

}  // namespace entrain::score

#if !defined(ENTRAIN_COMPILED)
#include "entrain/task/class_report.ipp"
#endif
