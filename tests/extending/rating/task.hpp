// tests > [extending]
//
// A task of your own: a number for each sentence.
#pragma once
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "entrain/batch/encode/file_targets.hpp"
#include "entrain/core/error.hpp"
#include "entrain/tensor/targets.hpp"
#include "entrain/text/corpus/corpus.hpp"

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
  struct Ratings;
  template <class Source> using FileTargets = Ratings;

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

/// In files, the rating of a sentence is the tag of its first word: a number, or `-` where there is none.
struct Task::Ratings {
  Ratings(Labels) {}
  auto work() const {
    return [](const entrain::text::Corpus& corpus, auto& encoded, entrain::batch::GoldCounts& counts) {
      for (std::size_t s = 0; s < corpus.sentences(); ++s)
        if (const std::size_t word = corpus.sentence[s]; corpus.tag_name(word) != "-") {
          encoded.target[s] = number(corpus, word);
          ++counts.annotations;
        }
    };
  }

 private:
  static float number(const entrain::text::Corpus& corpus, std::size_t word) {
    const std::string_view tag = corpus.tag_name(word);
    float value = 0;
    const auto [end, error] = std::from_chars(tag.data(), tag.data() + tag.size(), value);
    if (error != std::errc() || end != tag.data() + tag.size())
      throw entrain::Error("rating.1", corpus.where(word), "'" + std::string(tag) + "'", "a number, or -",
                           "correct the rating");
    return value;
  }
};

}  // namespace rating
