// text > batch > [task] > head > optim > checkpoint
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "entrain/task/class_scores.hpp"

namespace entrain::task {
namespace detail {

/// The probabilities of a class for texts that have it and for those that do not.
struct Sides {
  std::vector<float> of, others;

  /// The share of pairs (a text that has the class, a text that does not) in which the first has the larger
  /// probability; equal ones count half. So it equals sklearn's roc_auc_score.
  double auc() const {
    if (of.empty() || others.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::vector<float> sorted = others;
    std::sort(sorted.begin(), sorted.end());
    double pairs = 0;
    for (const float p : of) {
      const auto [below, above] = std::equal_range(sorted.begin(), sorted.end(), p);
      pairs += static_cast<double>(below - sorted.begin()) + 0.5 * static_cast<double>(above - below);
    }
    return pairs / (static_cast<double>(of.size()) * static_cast<double>(others.size()));
  }
};

/// What the scores of a class must be raised by so that `score >= 0` gives the best F1: minus the threshold, which is
/// in the middle between two texts. Of equals, the one that moves least.
///
/// F1 = 2 correct / (chosen + gold)
inline double best_shift(const Sides& sides) {
  if (sides.of.empty() || sides.others.empty()) return 0;
  const auto logit = [](float p) {
    const double q = std::clamp(static_cast<double>(p), 1e-9, 1 - 1e-9);
    return std::log(q / (1 - q));
  };
  std::vector<std::pair<double, bool>> all;  // score, whether gold has it
  for (const float p : sides.of) all.emplace_back(logit(p), true);
  for (const float p : sides.others) all.emplace_back(logit(p), false);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  const auto f1 = [&](std::size_t correct, std::size_t chosen) {
    return 2 * static_cast<double>(correct) / static_cast<double>(chosen + sides.of.size());
  };
  std::size_t correct = 0, usual = 0, usual_correct = 0;
  for (const auto& [score, gold] : all)
    if (score >= 0) ++usual, usual_correct += gold;
  double best = f1(usual_correct, usual), shift = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    correct += all[i].second;
    if (i + 1 < all.size() && all[i + 1].first == all[i].first) continue;
    const double threshold = i + 1 < all.size() ? (all[i].first + all[i + 1].first) / 2 : all[i].first - 1;
    const double found = f1(correct, i + 1);
    if (found > best || (found == best && shift != 0 && std::abs(threshold) < std::abs(shift)))
      best = found, shift = -threshold;
  }
  return shift;
}

inline double mean_of_numbers(const std::vector<double>& all) {
  double sum = 0;
  std::size_t n = 0;
  for (const double x : all)
    if (!std::isnan(x)) sum += x, ++n;
  return n == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(n);
}

}  // namespace detail

ENTRAIN_INLINE double ClassScores::macro_f1() const {
  std::vector<double> all;
  for (const ClassCount& c : of)
    if (c.gold + c.predicted > 0) all.push_back(c.f1());
  return all.empty() ? 0 : detail::mean_of_numbers(all);
}
ENTRAIN_INLINE double ClassScores::macro_auc() const { return detail::mean_of_numbers(auc); }

struct ClassScorer::Counting {
  /// Probabilities are kept for AUC up to this many: 256 MiB.
  static constexpr std::size_t most_kept = std::size_t{1} << 26;
  static constexpr std::size_t most_confused = 1000;  // classes

  const text::Corpus* gold;
  std::vector<std::int32_t> class_of;  // gold's classes as numbers of ClassScores::names
  ClassScores found;
  std::vector<detail::Sides> sides;  // of each class of the model
  std::vector<std::int32_t> right, chosen;
};

ENTRAIN_INLINE ClassScorer::ClassScorer(const text::Corpus& gold, const Classes& labels, bool exclusive)
    : counting_(std::make_unique<Counting>()) {
  Counting& c = *counting_;
  c.gold = &gold;
  ClassScores& found = c.found;
  found.names = labels.names();
  found.known = found.names.size();
  found.exclusive = exclusive;
  for (const std::string& name : gold.classes.names) {
    std::int32_t number = labels.find(name);
    if (number == Classes::none) {
      number = static_cast<std::int32_t>(found.names.size());
      found.names.push_back(name);
    }
    c.class_of.push_back(number);
  }
  found.of.resize(found.names.size());
  if (found.exclusive && found.names.size() <= Counting::most_confused)
    found.confusion.assign(found.names.size() * found.names.size(), 0);
  if (gold.sentences() * found.known <= Counting::most_kept) c.sides.resize(found.known);
}
ENTRAIN_INLINE ClassScorer::~ClassScorer() = default;

ENTRAIN_INLINE void ClassScorer::sentence(std::size_t s, std::span<const float> p) {
  Counting& c = *counting_;
  ClassScores& found = c.found;
  c.right.clear(), c.chosen.clear();
  for (const std::int32_t id : c.gold->classes_of(s)) c.right.push_back(c.class_of[static_cast<std::size_t>(id)]);
  if (found.exclusive && c.right.empty()) return;
  if (found.exclusive) {
    c.chosen.push_back(static_cast<std::int32_t>(std::max_element(p.begin(), p.end()) - p.begin()));
  } else {
    for (std::size_t k = 0; k < p.size(); ++k)
      if (p[k] >= 0.5f) c.chosen.push_back(static_cast<std::int32_t>(k));
  }
  const auto is_right = [&](std::int32_t k) { return std::find(c.right.begin(), c.right.end(), k) != c.right.end(); };
  for (const std::int32_t k : c.right) ++found.of[static_cast<std::size_t>(k)].gold;
  std::size_t correct = 0;
  for (const std::int32_t k : c.chosen) {
    ClassCount& of = found.of[static_cast<std::size_t>(k)];
    ++of.predicted;
    if (is_right(k)) ++of.correct, ++correct;
  }
  ++found.texts;
  found.exact += correct == c.right.size() && correct == c.chosen.size();
  if (!found.confusion.empty())
    ++found.confusion[static_cast<std::size_t>(c.right.front()) * found.names.size() +
                      static_cast<std::size_t>(c.chosen.front())];
  for (std::size_t k = 0; k < c.sides.size(); ++k) {
    detail::Sides& sides = c.sides[k];
    (is_right(static_cast<std::int32_t>(k)) ? sides.of : sides.others).push_back(p[k]);
  }
}

ENTRAIN_INLINE ClassScores ClassScorer::scores() const {
  ClassScores scores = counting_->found;
  for (const detail::Sides& sides : counting_->sides) {
    scores.auc.push_back(sides.auc());
    if (!scores.exclusive) scores.shift.push_back(detail::best_shift(sides));
  }
  return scores;
}

}  // namespace entrain::task
