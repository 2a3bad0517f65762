// text > batch > embed > encode > head > [score]
//
// The counts of scored entities: three for each type, and the figures computed from them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "entrain/text/tags/labels.hpp"

namespace entrain::score {

/// As fractions, 0 to 1.
struct PrecisionRecallF1 {
  double precision = 0, recall = 0, f1 = 0;
};

/// Entities in the gold file, among the predictions, and in both: same tokens, same type.
///
///   precision = correct / predicted      recall = correct / gold      f1 = 2 P R / (P + R)
///
/// A figure whose denominator is 0 is 0.
struct Count {
  std::uint64_t gold = 0, predicted = 0, correct = 0;

  PrecisionRecallF1 figures() const {
    const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
    PrecisionRecallF1 f;
    f.precision = share(static_cast<double>(correct), static_cast<double>(predicted));
    f.recall = share(static_cast<double>(correct), static_cast<double>(gold));
    f.f1 = share(2 * f.precision * f.recall, f.precision + f.recall);
    return f;
  }
  bool occurs() const { return gold > 0 || predicted > 0; }
  Count& operator+=(const Count& other) {
    gold += other.gold;
    predicted += other.predicted;
    correct += other.correct;
    return *this;
  }
  friend bool operator==(const Count&, const Count&) = default;
};

/// One count for each type, in the numbering of Scores::types.
class Tally {
 public:
  Count& operator[](std::int32_t type) {
    const auto at = static_cast<std::size_t>(type);
    if (at >= counts_.size()) counts_.resize(at + 1);
    return counts_[at];
  }
  Count of(std::int32_t type) const {
    const auto at = static_cast<std::size_t>(type);
    return at < counts_.size() ? counts_[at] : Count{};
  }

  /// All entities together, of any type.
  Count micro() const {
    Count sum;
    for (const Count& c : counts_) sum += c;
    return sum;
  }

  /// The plain mean of each figure over the types that occur, in gold or in the predictions. (So its f1 is the mean of
  /// the f1s, not the f1 of the means.) Zeros if no type occurs.
  PrecisionRecallF1 macro() const {
    PrecisionRecallF1 sum;
    double types = 0;
    for (const Count& c : counts_) {
      if (!c.occurs()) continue;
      const PrecisionRecallF1 f = c.figures();
      sum.precision += f.precision;
      sum.recall += f.recall;
      sum.f1 += f.f1;
      ++types;
    }
    if (types == 0) return sum;
    return PrecisionRecallF1{sum.precision / types, sum.recall / types, sum.f1 / types};
  }

  /// Whether every type has the same counts in both.
  friend bool operator==(const Tally& a, const Tally& b) {
    const std::size_t types = std::max(a.counts_.size(), b.counts_.size());
    for (std::size_t t = 0; t < types; ++t)  // mutant 235
      if (a.of(static_cast<std::int32_t>(t)) != b.of(static_cast<std::int32_t>(t))) return false;
    return true;
  }

 private:
  std::vector<Count> counts_;
};

/// Everything a Counter has counted.
struct Scores {
  std::string_view scheme;     // of the gold tags
  std::string_view predicted;  // of the predicted tags; if it differs, entities are compared, not tags
  text::Types types;           // of both files
  std::int32_t known = -1;     // types from this number on are not among the model's labels; -1: there is no model
  Tally strict, conlleval;     // the two readings: see text/tags/spans.hpp
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t correct_tokens = 0;  // same letter, same type
  std::uint64_t malformed = 0;       // tags of either file that cannot be parsed; they belong to no entity

  double token_accuracy() const {
    return tokens == 0 ? 0 : static_cast<double>(correct_tokens) / static_cast<double>(tokens);
  }
  /// Whether gold has entities of this type but the model does not have it: they all count as missed.
  bool unknown(std::int32_t type) const { return known >= 0 && type >= known; }

  /// The types that occur, by name.
  std::vector<std::int32_t> order() const {
    std::vector<std::int32_t> order;
    for (std::int32_t t = 0; t < types.size(); ++t)  // mutant 234
      if (strict.of(t).occurs() || conlleval.of(t).occurs()) order.push_back(t);
    const auto by_name = [&](auto a, auto b) { return types.name(a) < types.name(b); };  // mutant 236
    std::sort(order.begin(), order.end(), by_name);
    return order;
  }
};

}  // namespace entrain::score
