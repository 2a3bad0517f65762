// text > [batch] > embed > encode > head > optim > checkpoint
//
// How a task takes the targets of a text that comes from files, block by block: the task names a type for it, and the
// stage of encode.hpp calls it. task/file_tags.hpp is an example.
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/text/corpus/corpus.hpp"

namespace entrain::batch {

/// Counts of the gold annotations of a text: entities, for a task that learns entities.
struct GoldCounts {
  std::uint64_t annotations = 0;
  std::uint64_t unseen = 0;               // those of a class that is not among the labels; nothing is learned from them
  std::vector<std::string> unseen_names;  // of some of those classes

  void clear() {
    annotations = unseen = 0;
    unseen_names.clear();
  }
};

namespace detail {

template <class T, class S>
concept HasFileTargets = requires {
  typename T::template FileTargets<S>;
};
template <class T, class S> inline constexpr bool has_file_targets = HasFileTargets<T, S>;

template <class Task, class Targets> inline constexpr bool made_of_labels = [] {
  if constexpr (requires { typename Task::Labels; })
    return std::is_convertible_v<typename Task::Labels, Targets>;
  else
    return true;
}();

/// Task::FileTargets<S>, or one sentence.
template <class Features, class Task, class S> struct FileTargetsOf {
  static_assert(AreFeatures<Features>::value);
  static_assert(has_file_targets<Task, S>,
                "entrain: the second argument of batch::Encode is not a task with 'template <class Source> using "
                "FileTargets', which takes targets from files; the arguments are Encode<Features, Task, Stage>, as in "
                "Encode<Trainer::Features, Trainer::Task, Stage>.");
  struct None {};
  template <class T, bool = has_file_targets<T, S>> struct Of { using type = None; };
  template <class T> struct Of<T, true> { using type = typename T::template FileTargets<S>; };
  using type = typename Of<Task>::type;
  static_assert(made_of_labels<Task, type>,
                "entrain: the FileTargets of this task are not made of its Labels; batch::Encode is made of (features, "
                "labels, stage), so write a constructor 'FileTargets(Labels)' that is not explicit.");
};

template <class T, class Features>
concept TakesTargets = requires(T& take, const text::Corpus& corpus, Encoded<Features>& e, GoldCounts& counts) {
  take.work()(corpus, e, counts);
};
template <class T, class Features> inline constexpr bool takes_targets = TakesTargets<T, Features>;

}  // namespace detail

/// T: the FileTargets of a task. Each thread has a result of `work()`. It is called for one text after another, as
///
///   work(const text::Corpus&, Encoded<Features>&, GoldCounts&)
///
/// It fills e.target, which is `ignored` everywhere (and e.in_pieces where labels_every_piece<Features>), and adds to
/// the counts. Its result for a text must not depend on other texts. It refers to T, which outlives it.
template <class T, class Features> struct AreFileTargets {
  static constexpr bool value = true;
  static_assert(
      detail::takes_targets<T, Features>,
      "entrain: the FileTargets of this task have no 'work()' whose result is called as (const text::Corpus&, "
      "batch::Encoded<Features>&, batch::GoldCounts&); see AreFileTargets<T, Features> and "
      "batch/encode/file_targets.hpp.");
};

}  // namespace entrain::batch
