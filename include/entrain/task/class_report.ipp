// text > batch > [task] > head > optim > checkpoint
//
// Definitions of class_report.hpp.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/score/report.hpp"  // percent, number, shown, json_label
#include "entrain/task/class_report.hpp"

namespace entrain::score {
namespace detail {

struct Confused {
  std::size_t gold, predicted;
  std::uint64_t times;
};
/// Pairs of different classes, the most frequent first.
inline std::vector<Confused> confused(const task::ClassScores& scores) {
  std::vector<Confused> pairs;
  const std::size_t n = scores.names.size();
  for (std::size_t i = 0; i < scores.confusion.size(); ++i)
    if (i / n != i % n && scores.confusion[i] > 0) pairs.push_back({i / n, i % n, scores.confusion[i]});
  std::sort(pairs.begin(), pairs.end(), [](const Confused& a, const Confused& b) {
    return a.times != b.times ? a.times > b.times : a.gold != b.gold ? a.gold < b.gold : a.predicted < b.predicted;
  });
  return pairs;
}
/// The classes that occur in gold or predictions, by name.
inline std::vector<std::size_t> occurring(const task::ClassScores& scores) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < scores.of.size(); ++k)
    if (scores.of[k].gold + scores.of[k].predicted > 0) order.push_back(k);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return scores.names[a] < scores.names[b]; });
  return order;
}
inline double auc_of(const task::ClassScores& scores, std::size_t k) {
  return k < scores.auc.size() ? scores.auc[k] : std::nan("");
}

}  // namespace detail

ENTRAIN_INLINE std::string table(const task::ClassScores& scores) {
  constexpr std::size_t most_classes = 200, most_pairs = 5, narrowest = 18;
  std::vector<std::size_t> order = detail::occurring(scores);
  const std::size_t all = order.size();
  if (all > most_classes) {  // those with the most texts, in the order of their names
    std::sort(order.begin(), order.end(), [&](auto a, auto b) {
      return scores.of[a].gold != scores.of[b].gold ? scores.of[a].gold > scores.of[b].gold : a < b;
    });
    order.resize(most_classes);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return scores.names[a] < scores.names[b]; });
  }
  std::size_t width = narrowest;
  for (const std::size_t k : order)
    width = std::max(width, text::count_code_points(detail::shown(scores.names[k])) + 4);
  std::string out;
  const auto right = [&](const std::string& cell, std::size_t columns) {
    out.append(columns > cell.size() ? columns - cell.size() : 1, ' ').append(cell);
  };
  const auto name = [&](const std::string& cell) {
    const std::size_t used = text::count_code_points(cell);
    out.append(cell).append(used < width ? width - used : 1, ' ');
  };
  const auto share = [&](double x, std::size_t columns) {
    right(std::isnan(x) ? std::string("-") : detail::percent(x), columns);
  };
  const auto counts = [&](const task::ClassCount& c, double auc) {
    share(c.precision(), 9), share(c.recall(), 8), share(c.f1(), 8), share(auc, 8);
    right(std::to_string(c.gold), 9), right(std::to_string(c.predicted), 11), right(std::to_string(c.correct), 9);
    out += '\n';
  };
  name("");
  out += "precision  recall      F1     AUC     gold  predicted  correct\n";
  bool stars = false;
  for (const std::size_t k : order) {
    const bool star = k >= scores.known;
    stars = stars || star;
    name("  " + (scores.names[k].empty() ? "_" : detail::shown(scores.names[k])) + (star ? "*" : ""));
    counts(scores.of[k], detail::auc_of(scores, k));
  }
  name("  micro");
  counts(scores.micro(), std::nan(""));
  name("  macro");
  right("", 17);
  share(scores.macro_f1(), 8), share(scores.macro_auc(), 8);
  out += '\n';
  if (all > order.size())
    out += std::to_string(all - order.size()) +
           " rarer classes are omitted from the table, but counted in micro and macro; --json lists all\n";
  out += detail::percent(scores.accuracy()) + " % of " + std::to_string(scores.texts) +
         (scores.texts == 1 ? " text has" : " texts have") +
         (scores.exclusive ? " the right class\n" : " exactly their classes\n");
  const auto pairs = detail::confused(scores);
  for (std::size_t i = 0; i < std::min(most_pairs, pairs.size()); ++i)
    out += (i == 0 ? "most confused: " : ", ") + std::to_string(pairs[i].times) +
           (pairs[i].times == 1 ? " time " : " times ") + detail::shown(scores.names[pairs[i].gold]) + " as " +
           detail::shown(scores.names[pairs[i].predicted]);
  if (!pairs.empty()) out += '\n';
  if (stars) out += "* not among the model's classes: counted as missed\n";
  return out;
}

ENTRAIN_INLINE std::string json(const task::ClassScores& scores) {
  const auto number = [](double x) { return std::isnan(x) ? std::string("null") : detail::number(x); };
  const auto counts = [&](const task::ClassCount& c) {
    return "\"precision\":" + number(c.precision()) + ",\"recall\":" + number(c.recall()) +
           ",\"f1\":" + number(c.f1()) + ",\"gold\":" + std::to_string(c.gold) +
           ",\"predicted\":" + std::to_string(c.predicted) + ",\"correct\":" + std::to_string(c.correct);
  };
  std::string classes, confusion, unknown;
  for (const std::size_t k : detail::occurring(scores)) {
    classes += (classes.empty() ? "" : ",") + detail::json_label(scores.names[k]) + ":{" + counts(scores.of[k]) +
               ",\"auc\":" + number(detail::auc_of(scores, k)) + "}";
    if (k >= scores.known) unknown += (unknown.empty() ? "" : ",") + detail::json_label(scores.names[k]);
  }
  for (const detail::Confused& pair : detail::confused(scores))
    confusion += (confusion.empty() ? "[" : ",[") + detail::json_label(scores.names[pair.gold]) + "," +
                 detail::json_label(scores.names[pair.predicted]) + "," + std::to_string(pair.times) + "]";
  return "{\"texts\":" + std::to_string(scores.texts) + ",\"correct\":" + std::to_string(scores.exact) +
         ",\"accuracy\":" + number(scores.accuracy()) + ",\"macro_f1\":" + number(scores.macro_f1()) + ",\"micro\":{" +
         counts(scores.micro()) + "},\"macro_auc\":" + number(scores.macro_auc()) + ",\"classes\":{" + classes +
         "},\"confusion\":[" + confusion + "],\"unknown_classes\":[" + unknown + "]}";
}

}  // namespace entrain::score
