// text > batch > embed > encode > head > [score]
//
// Counts entities sentence by sentence and forgets the sentence. Both readings of the tags are counted, always.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/score/scores.hpp"
#include "entrain/text/labels.hpp"
#include "entrain/text/scheme.hpp"
#include "entrain/text/spans.hpp"

namespace entrain::score {

/// Types are matched by name, and the list grows: two files may have different labels, and a gold type that the model
/// has never seen counts as missed.
///
///   score::Counter<text::Bio> count(labels);                   // a model's labels; or no argument for two files
///   count.sentence(gold_marks, predicted_tags);                // once a sentence
///   std::cout << score::table(count.scores());
///
/// S         the scheme of both sides; what breaks it counts in the conlleval reading only
/// memory    three counts a type and reading, and one sentence's entities as scratch
template <text::TagScheme S> class Counter {
 public:
  Counter() { scores_.scheme = S::name; }
  explicit Counter(const text::Labels<S>& labels) : Counter() {
    scores_.types = labels.types();
    scores_.known = labels.types().size();
  }

  /// A raw tag, ready to be scored; read gold once and score it in every evaluation.
  text::Mark mark(std::string_view tag) { return text::read_mark(tag, scores_.types); }

  /// One sentence. Gold and predicted are marks (from mark) or, if this counter was made from labels, tag ids of those.
  /// throws    entrain.score.1 if the two differ in length
  void sentence(std::span<const text::Mark> gold, std::span<const text::Mark> predicted) { count(gold, predicted); }
  void sentence(std::span<const text::Mark> gold, std::span<const text::Tag> predicted) {
    count(gold, text::MarksOf<S>{predicted});
  }
  void sentence(std::span<const text::Tag> gold, std::span<const text::Tag> predicted) {
    count(text::MarksOf<S>{gold}, text::MarksOf<S>{predicted});
  }

  /// The same for tags as they stand in two files: any two ranges of strings.
  template <class Gold, class Predicted> void sentence_of_tags(const Gold& gold, const Predicted& predicted) {
    gold_marks_.clear();
    predicted_marks_.clear();
    for (std::string_view tag : gold) gold_marks_.push_back(mark(tag));
    for (std::string_view tag : predicted) predicted_marks_.push_back(mark(tag));
    count(gold_marks_, predicted_marks_);
  }

  const Scores& scores() const { return scores_; }

 private:
  template <class Gold, class Predicted> void count(const Gold& gold, const Predicted& predicted) {
    if (gold.size() != predicted.size())
      throw Error("entrain.score.1", "sentence " + std::to_string(scores_.sentences + 1),
                  std::to_string(gold.size()) + " gold tags and " + std::to_string(predicted.size()) + " predicted",
                  "one predicted tag for each gold tag", "both must come from the same sentences");
    ++scores_.sentences;
    scores_.tokens += gold.size();
    for (std::size_t i = 0; i < gold.size(); ++i) {
      const text::Mark a = gold[i], b = predicted[i];
      scores_.malformed += (a.letter == text::Mark::malformed) + (b.letter == text::Mark::malformed);
      scores_.correct_tokens += a == b && a.letter != text::Mark::malformed;
    }
    tally(scores_.strict, gold, predicted, [](const auto& marks, auto&& sink) { text::strict<S>(marks, sink); });
    tally(scores_.conlleval, gold, predicted, [](const auto& marks, auto&& sink) { text::conlleval(marks, sink); });
  }

  // Both sides come from left to right and do not overlap, so one walk finds the entities that they share.
  template <class Gold, class Predicted, class Reading>
  void tally(Tally& counts, const Gold& gold, const Predicted& predicted, Reading read) {
    gold_spans_.clear();
    read(gold, [&](const text::Span& span) {
      gold_spans_.push_back(span);
      ++counts[span.type].gold;
    });
    auto next = gold_spans_.cbegin();
    read(predicted, [&](const text::Span& span) {
      ++counts[span.type].predicted;
      while (next != gold_spans_.cend() && next->begin < span.begin) ++next;
      if (next != gold_spans_.cend() && *next == span) ++counts[span.type].correct;
    });
  }

  Scores scores_;
  std::vector<text::Mark> gold_marks_, predicted_marks_;
  std::vector<text::Span> gold_spans_;
};

}  // namespace entrain::score
