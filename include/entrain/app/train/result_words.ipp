// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of result_words.hpp.
#pragma once
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/train/result_words.hpp"
#include "entrain/report/number.hpp"
#include "entrain/score/report.hpp"
#include "entrain/task/class_report.hpp"

namespace entrain::app {
namespace detail {

inline std::string percent(double ratio) { return std::string(report::percent(ratio).view()); }

inline std::string shortest(double value) {  // the digits that read back as the same number
  char text[64];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

}  // namespace detail

ENTRAIN_INLINE std::string evaluation_line(std::uint32_t step, double loss, const score::Scores& dev, bool best) {
  using detail::percent;
  const score::PrecisionRecallF1 f = dev.strict.micro().figures();
  return "step " + std::string(report::grouped(step).view()) + "  loss " + std::string(report::fixed(loss, 4).view()) +
         "  dev F1 " + percent(f.f1) + " (precision " + percent(f.precision) + ", recall " + percent(f.recall) + ")" +
         (best ? "  best" : "");
}

ENTRAIN_INLINE std::string final_table(const std::string& file, const score::Scores& model,
                                       const score::Scores* dictionary) {
  if (dictionary == nullptr) return file + ", the saved model\n" + score::table(model);
  const double ours = model.strict.micro().figures().f1, names = dictionary->strict.micro().figures().f1;
  const double points = 100 * (ours - names);
  return file + ", the saved model\n" + score::table(model) + "\n" + file +
         ", a dictionary of the training entities (longest match)\n" + score::table(*dictionary) + "\nstrict F1 " +
         detail::percent(ours) + ", dictionary " + detail::percent(names) + ": " + (points < 0 ? "" : "+") +
         std::string(report::fixed(points, 2).view()) + " points\n";
}

ENTRAIN_INLINE std::string evaluation_line(std::uint32_t step, double loss, const task::ClassScores& dev, bool best) {
  using detail::percent;
  const std::string scores = dev.exclusive
                                 ? "accuracy " + percent(dev.accuracy()) + " (macro F1 " + percent(dev.macro_f1()) + ")"
                                 : "F1 " + percent(dev.micro().f1()) + " (macro F1 " + percent(dev.macro_f1()) +
                                       ", exact sets " + percent(dev.accuracy()) + ")";
  return "step " + std::string(report::grouped(step).view()) + "  loss " + std::string(report::fixed(loss, 4).view()) +
         "  dev " + scores + (best ? "  best" : "");
}
ENTRAIN_INLINE std::string final_table(const std::string& file, const task::ClassScores& model) {
  return file + ", the saved model\n" + score::table(model);
}

ENTRAIN_INLINE std::string calibration_in_words(const train::Calibration& c) {
  const auto fixed = [](double x) { return std::string(report::fixed(x, 2).view()); };
  const std::string bias = " added to the bias of the tags that open an entity";
  if (c.each_label) {
    const std::string gain = fixed(100 * (c.best_score - c.unshifted));
    if (c.shifted == 0) return "not applied: a threshold of 1/2 gives every class the best F1 on the dev file";
    const std::string thresholds = "the thresholds of " + counted(c.shifted, "class", "classes");
    if (c.shift != 0)
      return thresholds + ", as biases: dev F1 " + detail::percent(c.score) + ", a gain of " + gain + " points";
    return "not applied: " + thresholds + " gain " + gain + " points of dev F1, which may be chance; at least " +
           fixed(100 * train::Calibration::worth) + " is required";
  }
  if (c.largest == 0) return "not applied: the model has no tag bias";
  if (c.shift != 0)
    return fixed(c.shift) + bias + ": dev F1 " + detail::percent(c.score) + ", a gain of " +
           fixed(100 * (c.score - c.unshifted)) + " points";
  if (c.best == 0) return "not applied: no value up to " + fixed(c.largest) + bias + " improves dev F1";
  return "not applied: " + fixed(c.best) + bias + " gains " + fixed(100 * (c.best_score - c.unshifted)) +
         " points of dev F1, which may be chance; at least " + fixed(100 * train::Calibration::worth) + " is required";
}

ENTRAIN_INLINE std::string time_spent_line(const train::Outcome& outcome) {
  const device::TimeSpent& u = outcome.device;
  const double whole = u.busy + u.idle;
  const auto share = [&](double seconds) { return std::string(report::Short("%.1f %%", 100 * seconds / whole)); };
  return "computed " + share(u.busy) + " of the time, idle " + share(u.idle) + ", copying in parallel " +
         share(u.copying) + "; the training thread waited for batches " + share(outcome.waiting) +
         ", launched kernels " + share(u.launching);
}

ENTRAIN_INLINE std::string gpu_line(const device::GpuReading& gpu) {
  std::string line;
  const auto add = [&](const std::string& fact) { line += (line.empty() ? "" : ", ") + fact; };
  const auto number = [](double x, int digits) { return std::string(report::fixed(x, digits).view()); };
  const auto of = [](double limit, const std::string& text) { return limit > 0 ? " of " + text : std::string(); };
  const auto gib = [&](std::size_t bytes) { return number(static_cast<double>(bytes) / (1 << 30), 1); };
  if (gpu.megahertz > 0) add(std::string(report::grouped(gpu.megahertz).view()) + " MHz");
  if (gpu.memory_megahertz > 0) add("memory " + std::string(report::grouped(gpu.memory_megahertz).view()) + " MHz");
  if (gpu.watts > 0) add(number(gpu.watts, 0) + of(gpu.watts_limit, number(gpu.watts_limit, 0)) + " W");
  if (gpu.total_bytes > 0) add(gib(gpu.used_bytes) + " of " + gib(gpu.total_bytes) + " GiB");
  return line;
}

namespace detail {
/// The numbers of a training, up to its scores.
inline std::string outcome_json(const train::Outcome& outcome, std::string_view score_name) {
  return "{\"steps\":" + std::to_string(outcome.steps) + ",\"best_step\":" + std::to_string(outcome.best_step) + ",\"" +
         std::string(score_name) + "\":" + (outcome.best < 0 ? "null" : shortest(outcome.best)) +
         ",\"words\":" + std::to_string(outcome.tokens) + ",\"seconds\":" + shortest(outcome.seconds) +
         ",\"words_per_second\":" + shortest(static_cast<double>(outcome.tokens) / std::max(outcome.seconds, 1e-9)) +
         ",\"stopped_early\":" + (outcome.stopped_early ? "true" : "false");
}
}  // namespace detail

ENTRAIN_INLINE std::string final_json(const score::Scores& model, const score::Scores* dictionary,
                                      const train::Outcome& outcome) {
  return detail::outcome_json(outcome, "best_dev_f1") + ",\"test\":" + score::json(model) +
         ",\"dictionary\":" + (dictionary ? score::json(*dictionary) : "null") + "}\n";
}
ENTRAIN_INLINE std::string final_json(const task::ClassScores& model, const train::Outcome& outcome) {
  return detail::outcome_json(outcome, model.exclusive ? "best_dev_accuracy" : "best_dev_f1") +
         ",\"test\":" + score::json(model) + "}\n";
}

}  // namespace entrain::app
