// text > batch > [task] > head > optim > checkpoint
//
// The requirements on a task (tagging.hpp is an example), and one sentence for each that a type does not meet. A head
// names its task. The task tells the packer, the trainer and the predictor which types of targets and predictions they
// carry.
#pragma once
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "entrain/batch/encode/gaps.hpp"
#include "entrain/core/contract.hpp"
#include "entrain/tensor/targets.hpp"
#include "entrain/text/corpus/corpus.hpp"

namespace entrain::task {
namespace detail {

template <class C> inline constexpr bool is_read_only = std::is_const_v<std::remove_pointer_t<decltype(C::data)>>;

// Variables, as in core/contract.hpp.

template <class T> inline constexpr bool has_labels = requires(const typename T::Labels& labels) {
  { labels.count() } -> std::convertible_to<int>;
};
template <class T> inline constexpr bool has_targets = requires {
  requires is_column<typename T::Targets>;
  requires is_read_only<typename T::Targets>;
};
template <class T> inline constexpr bool has_prediction = requires {
  requires is_column<typename T::Prediction>;
  requires !is_read_only<typename T::Prediction>;
};
template <class T> inline constexpr bool predicts_rows = requires { requires T::Prediction::by_rows; };
template <class T> inline constexpr bool has_fill_gaps = requires(batch::Gaps::OfSentence gaps,
                                                                  std::span<const typename T::Prediction::Number> read,
                                                                  std::vector<typename T::Prediction::Number>& all) {
  T::fill_gaps(gaps, read, all);
};
template <class T> inline constexpr bool fills_gaps = !has_prediction<T> || !predicts_rows<T> || has_fill_gaps<T>;
template <class T> inline constexpr bool has_gold = requires { typename T::Gold; };
template <class T> inline constexpr bool has_scorer = requires { typename T::Scorer; };
template <class T> inline constexpr bool scorer_is_made =
    std::constructible_from<typename T::Scorer, const typename T::Gold&, const typename T::Labels&>;
template <class T>
inline constexpr bool scorer_is_called = requires(typename T::Scorer& scorer,
                                                  std::span<const typename T::Prediction::Number> predictions) {
  scorer.sentence(std::size_t{}, predictions);
  { T::Scorer::score(scorer.scores()) } -> std::convertible_to<double>;
};

template <class T> inline constexpr bool has_gold_functions = requires(const typename T::Gold& gold) {
  { T::corpus(gold) } -> std::convertible_to<const text::Corpus&>;
  { T::labels_of(gold) } -> std::convertible_to<typename T::Labels>;
};

}  // namespace detail

/// name        for messages
/// Labels      counts the head's run-time width: count() is Shape::labels
/// Targets     the targets that the loss reads: PerRow or PerSentence, of constants (tensor/targets.hpp)
/// Prediction  the predictions that decoding writes: PerRow or PerSentence
/// fill_gaps   if Prediction is PerRow: the predictions of all words, from those of the words that the encoder reads
///             (batch/encode/gaps.hpp)
/// Gold        the gold data that a reader gives for the sentences of a corpus
/// Scorer      compares predictions with gold, sentence by sentence; defined where it is used
/// write_labels, read_labels
///             the labels in config.json (stored_labels.hpp); not needed if Labels is an empty type, as every model has
///             the same ones
/// corpus, labels_of, set_targets
///             optional, for train::Training: the sentences of gold, the labels that it has, and the targets of its
///             encoded sentences
/// FileTargets optional: how a loader takes targets from files, block by block (batch/encode/file_targets.hpp)
/// calibrate   optional: calibrate(trainer, label_bias, evaluate, score before) -> Calibration (calibration.hpp), after
///             the last step; label_bias: a parameter's name, as head::label_bias_of
template <class T>
concept IsTask = refuse::has_name<T> && detail::has_labels<T> && detail::has_targets<T> && detail::has_prediction<T> &&
    detail::fills_gaps<T> && detail::has_gold<T> && detail::has_scorer<T>;

/// Whether a task's labels are tags of a scheme: predict::Tagger and the commands handle these only.
template <class T> inline constexpr bool is_tagging = requires { typename T::Scheme; };

/// `task_contract<T>()` does not compile for a type that is not a task: one sentence for each member that is missing or
/// has another form.
template <class T> consteval bool task_contract() {
  static_assert(refuse::has_name<T>,
                "entrain: this task has no 'static constexpr std::string_view name'; see docs/extending/head.md.");
  static_assert(detail::has_labels<T>,
                "entrain: this task has no type Labels with 'int count() const', the number of labels that its head "
                "scores; see docs/extending/head.md.");
  static_assert(detail::has_targets<T>,
                "entrain: this task has no Targets, the values that the loss reads: PerRow<const N> or "
                "PerSentence<const N>; see docs/extending/head.md.");
  static_assert(detail::has_prediction<T>,
                "entrain: this task has no Prediction, the values that decoding writes: PerRow<N> or PerSentence<N>; "
                "see docs/extending/head.md.");
  static_assert(detail::fills_gaps<T>,
                "entrain: this task predicts a number for each row and has no 'static void fill_gaps(batch::Gaps::"
                "OfSentence, std::span<const N> read, std::vector<N>& all)', the values of words that the encoder does "
                "not read; see docs/extending/head.md.");
  static_assert(
      detail::has_gold<T>,
      "entrain: this task has no type Gold, the annotations that a reader yields for the sentences of a corpus; see "
      "docs/extending/head.md.");
  static_assert(
      detail::has_scorer<T>,
      "entrain: this task has no type Scorer, which scores predictions against gold; see docs/extending/head.md.");
  return true;
}

/// The same for a task's scorer, where it is used.
template <class T> consteval bool scorer_contract() {
  static_assert(detail::scorer_is_made<T>,
                "entrain: this task's Scorer is not constructible from (const Gold&, const Labels&); see "
                "docs/extending/head.md.");
  static_assert(detail::scorer_is_called<T>,
                "entrain: this task's Scorer has no sentence(std::size_t s, std::span<const Prediction::Number>), "
                "scores(), or 'static double score(scores)'; see docs/extending/head.md.");
  return true;
}

/// The same for a task whose gold train::Training learns from.
template <class T> consteval bool gold_contract() {
  static_assert(detail::has_gold_functions<T>,
                "entrain: this task has no 'static const text::Corpus& corpus(const Gold&)' and 'static Labels "
                "labels_of(const Gold&)', so train::Training cannot learn from its gold; see task/classification.hpp.");
  return true;
}

}  // namespace entrain::task
