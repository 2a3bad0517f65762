// text > batch > embed > encode > head > [score]
//
// Counts entities sentence by sentence without keeping the sentences. It always counts both readings of the tags.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/score/scores.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/scheme.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::score {

/// Types are matched by name, and the list of types grows. Two files may have different labels, and a gold type that is
/// not among the model's labels counts as missed.
///
///   score::Counter<text::Bio> count(labels);                   // a model's labels; or no argument for two files
///   count.sentence(gold_marks, predicted_tags);                // once for each sentence
///   std::cout << score::table(count.scores());
///
/// If the predictions are in another scheme than the gold tags, their entities are compared as they were predicted: two
/// neighbours of one type stay two, although IO could not write them. So a wrong boundary never counts as correct.
///
/// S         the scheme of the gold tags, and of the predicted ones unless a call names another. Tags that violate it
///           count in the conlleval reading only
/// memory    three counts for each type and reading, and one sentence's entities as scratch
template <text::TagScheme S> class Counter {
 public:
  Counter() { scores_.scheme = scores_.predicted = S::name; }
  explicit Counter(const text::Labels<S>& labels) : Counter() {
    scores_.types = labels.types();
    scores_.known = labels.types().size();
  }

  /// A parsed tag, ready to be scored. Parse gold once and score it in every evaluation.
  text::Mark mark(std::string_view tag) { return text::read_mark(tag, scores_.types); }

  /// One sentence. Gold and predicted are marks (from mark) or, if this counter was made from labels, tag ids of those
  /// labels.
  /// throws    entrain.score.1 if the two differ in length
  void sentence(std::span<const text::Mark> gold, std::span<const text::Mark> predicted) { count(gold, predicted); }
  void sentence(std::span<const text::Mark> gold, std::span<const text::Tag> predicted) {
    count(gold, text::MarksOf<S>{predicted});
  }
  void sentence(std::span<const text::Tag> gold, std::span<const text::Tag> predicted) {
    count(text::MarksOf<S>{gold}, text::MarksOf<S>{predicted});
  }

  /// The same for predictions that are entities, of any scheme; from left to right, without overlap.
  /// throws    entrain.score.1 if an entity ends after the sentence
  void sentence(std::span<const text::Mark> gold, std::span<const text::Span> predicted) {
    if (!predicted.empty() && predicted.back().end > gold.size())
      refuse(std::to_string(gold.size()) + " gold tags and an entity that ends at " +
             std::to_string(predicted.back().end));
    count_entities(gold, predicted, predicted);
  }
  /// The same for predicted tags in a different scheme.
  /// throws    entrain.score.1 if the two differ in length
  void sentence(std::span<const text::Mark> gold, text::SchemeId scheme, std::span<const text::Mark> predicted) {
    demand_equal(gold.size(), predicted.size());
    predicted_strict_.clear(), predicted_conlleval_.clear();
    text::with_scheme(scheme, [&](auto id) {
      text::strict<decltype(id)>(predicted, [&](const text::Span& span) { predicted_strict_.push_back(span); });
    });
    text::conlleval(predicted, [&](const text::Span& span) { predicted_conlleval_.push_back(span); });
    count_entities(gold, predicted_strict_, predicted_conlleval_);
    for (std::size_t i = 0; i < gold.size(); ++i)
      if (predicted[i].letter == text::Mark::malformed) {
        ++scores_.malformed;
        scores_.correct_tokens -= gold[i].letter == 'O';  // the tag was written as O
      }
  }
  /// The scheme that the scores name for the predictions.
  void predicted_in(text::SchemeId scheme) { scores_.predicted = text::scheme_name(scheme); }

  /// The same for tags as they are written in two files: any two ranges of strings.
  template <class Gold, class Predicted> void sentence_of_tags(const Gold& gold, const Predicted& predicted) {
    gold_marks_.clear();
    predicted_marks_.clear();
    for (std::string_view tag : gold) gold_marks_.push_back(mark(tag));
    for (std::string_view tag : predicted) predicted_marks_.push_back(mark(tag));
    count(gold_marks_, predicted_marks_);
  }

  const Scores& scores() const { return scores_; }

 private:
  // The scheme in which predicted entities are written to count correct tags: S or, if S cannot separate neighbours,
  // the scheme that differs from it only in that.
  using Written = std::conditional_t<S::parts == 1, text::Iob1, S>;

  [[noreturn]] void refuse(const std::string& found) const {
    throw Error("entrain.score.1", "sentence " + std::to_string(scores_.sentences + 1), found,
                "one predicted tag for each gold tag", "both must come from the same sentences");
  }
  void demand_equal(std::size_t gold, std::size_t predicted) const {
    if (gold != predicted) refuse(std::to_string(gold) + " gold tags and " + std::to_string(predicted) + " predicted");
  }

  template <class Gold, class Predicted> void count(const Gold& gold, const Predicted& predicted) {
    demand_equal(gold.size(), predicted.size());
    for (std::size_t i = 0; i < gold.size(); ++i) scores_.malformed += predicted[i].letter == text::Mark::malformed;
    count_tags(gold, predicted);
    tally(scores_.strict, gold, predicted, [](const auto& marks, auto&& sink) { text::strict<S>(marks, sink); });
    tally(scores_.conlleval, gold, predicted, [](const auto& marks, auto&& sink) { text::conlleval(marks, sink); });
  }

  void count_entities(std::span<const text::Mark> gold, std::span<const text::Span> strict,
                      std::span<const text::Span> conlleval) {
    written_.resize(gold.size());
    text::encode<Written>(strict, written_);
    count_tags(gold, text::MarksOf<Written>{written_});
    gold_entities(scores_.strict, [&](auto&& sink) { text::strict<S>(gold, sink); });
    for (const text::Span& span : strict) predicted_entity(scores_.strict, span);
    gold_entities(scores_.conlleval, [&](auto&& sink) { text::conlleval(gold, sink); });
    for (const text::Span& span : conlleval) predicted_entity(scores_.conlleval, span);
  }

  template <class Gold, class Predicted> void count_tags(const Gold& gold, const Predicted& predicted) {
    ++scores_.sentences;
    scores_.tokens += gold.size();
    for (std::size_t i = 0; i < gold.size(); ++i) {
      const text::Mark a = gold[i], b = predicted[i];
      scores_.malformed += a.letter == text::Mark::malformed;
      scores_.correct_tokens += a == b && a.letter != text::Mark::malformed;
    }
  }

  template <class Gold, class Predicted, class Reading>
  void tally(Tally& counts, const Gold& gold, const Predicted& predicted, Reading read) {
    gold_entities(counts, [&](auto&& sink) { read(gold, sink); });
    read(predicted, [&](const text::Span& span) { predicted_entity(counts, span); });
  }

  // Entities of both sides come from left to right and do not overlap, so one walk finds those that they share.
  template <class Read> void gold_entities(Tally& counts, Read&& read) {
    gold_spans_.clear();
    read([&](const text::Span& span) {
      gold_spans_.push_back(span);
      ++counts[span.type].gold;
    });
    next_gold_ = 0;
  }
  void predicted_entity(Tally& counts, const text::Span& span) {
    ++counts[span.type].predicted;
    while (next_gold_ < gold_spans_.size() && gold_spans_[next_gold_].begin < span.begin) ++next_gold_;
    if (next_gold_ < gold_spans_.size() && gold_spans_[next_gold_] == span) ++counts[span.type].correct;
  }

  Scores scores_;
  std::vector<text::Mark> gold_marks_, predicted_marks_;
  std::vector<text::Span> gold_spans_, predicted_strict_, predicted_conlleval_;
  std::vector<text::Tag> written_;
  std::size_t next_gold_ = 0;  // the first of gold_spans_ that may equal a predicted one
};

}  // namespace entrain::score
