// tests > [extending]
//
// A task of your own: a number for each sentence.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "entrain/tensor/targets.hpp"

namespace rating {

/// Gold: a number for each sentence, NaN where there is none.
struct Task {
  static constexpr std::string_view name = "rating";
  struct Labels {
    static constexpr int count() { return 1; }
  };
  using Targets = entrain::PerSentence<const float>;
  using Prediction = entrain::PerSentence<float>;
  using Gold = std::vector<float>;

  struct Scores {
    std::size_t sentences = 0;
    double squares = 0;
    double mean_square() const { return sentences == 0 ? 0 : squares / static_cast<double>(sentences); }
  };
  class Scorer {
   public:
    Scorer(const Gold& gold, const Labels&) : gold_(&gold) {}
    void sentence(std::size_t s, std::span<const float> predicted) {
      if (!entrain::is_target((*gold_)[s])) return;
      const double off = static_cast<double>(predicted.front()) - static_cast<double>((*gold_)[s]);
      ++scores_.sentences;
      scores_.squares += off * off;
    }
    const Scores& scores() const { return scores_; }
    static double score(const Scores& scores) { return 1 / (1 + scores.mean_square()); }

   private:
    const Gold* gold_;
    Scores scores_;
  };
};

}  // namespace rating
