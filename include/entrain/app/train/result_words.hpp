// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Scores as text: a line for each evaluation, and the result of a training for people and for programs.
#pragma once
#include <cstdint>
#include <string>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/score/scores.hpp"
#include "entrain/task/class_scores.hpp"
#include "entrain/train/loop/fit.hpp"  // Outcome

namespace entrain::app {

/// `step 1,200  loss 0.0412  dev F1 61.23 (precision 63.10, recall 59.47)  best`
ENTRAIN_INLINE std::string evaluation_line(std::uint32_t step, double loss, const score::Scores& dev, bool best);

/// `step 1,200  loss 0.4120  dev accuracy 91.23 (macro F1 90.88)  best`; F1 and exact sets where a text has many
/// classes
ENTRAIN_INLINE std::string evaluation_line(std::uint32_t step, double loss, const task::ClassScores& dev, bool best);

/// Both readings of the model's scores, then those of the dictionary, then the difference. dictionary: null for a
/// training file that was not kept in memory
ENTRAIN_INLINE std::string final_table(const std::string& file, const score::Scores& model,
                                       const score::Scores* dictionary);
ENTRAIN_INLINE std::string final_table(const std::string& file, const task::ClassScores& model);

/// `1.50 added to the bias of the tags that open an entity: dev F1 60.00, a gain of 10.00 points`, or why there is none
ENTRAIN_INLINE std::string calibration_in_words(const train::Calibration& c);

/// How the device's time was spent. loader_bottleneck.hpp finds why it was idle.
ENTRAIN_INLINE std::string time_spent_line(const train::Outcome& outcome);

/// `1,980 MHz, memory 3,201 MHz, 612 of 700 W, 38.2 of 139.8 GiB`: the values that are known
ENTRAIN_INLINE std::string gpu_line(const device::GpuReading& gpu);

/// {"steps":..,"best_step":..,"best_dev_f1":..,"words_per_second":..,"test":{..},"dictionary":{..}}: score::json
ENTRAIN_INLINE std::string final_json(const score::Scores& model, const score::Scores* dictionary,
                                      const train::Outcome& outcome);
/// The same with best_dev_accuracy, or best_dev_f1 where a text has many classes, and without a dictionary.
ENTRAIN_INLINE std::string final_json(const task::ClassScores& model, const train::Outcome& outcome);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/train/result_words.ipp"
#endif
