// text > batch > [task] > head > optim > checkpoint
//
// The labels of a model in config.json: each task writes its own and reads them again.
#pragma once
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "entrain/checkpoint/config.hpp"
#include "entrain/core/error.hpp"

namespace entrain::task {
namespace detail {

template <class T>
concept StoresLabels = requires(const typename T::Labels& labels, checkpoint::Config& config,
                                const checkpoint::Config& read, std::string_view where) {
  T::write_labels(labels, config);
  { T::read_labels(read, where) } -> std::convertible_to<typename T::Labels>;
};
template <class T> inline constexpr bool stores_labels = StoresLabels<T>;  // for static_assert

/// Labels that every model of the task shares. config.json names them LABEL_0, LABEL_1, ..., as transformers does.
template <class T> inline constexpr bool shares_labels =
    std::is_empty_v<typename T::Labels>&& std::is_default_constructible_v<typename T::Labels>;

inline std::vector<std::string> numbered_labels(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back("LABEL_" + std::to_string(i));
  return names;
}

}  // namespace detail

/// `stored_labels_contract<T>()` does not compile for a task whose models cannot be saved.
template <class T> consteval bool stored_labels_contract() {
  static_assert(detail::stores_labels<T> || detail::shares_labels<T>,
                "entrain: this task has no 'static void write_labels(const Labels&, checkpoint::Config&)' and 'static "
                "Labels read_labels(const checkpoint::Config&, std::string_view where)', its labels in config.json, so "
                "its models cannot be saved; see task/tagging.hpp.");
  return true;
}

/// Sets config.labels: a name for each label. A task may also set entity_types, scheme, numbers and strings.
///
/// throws    entrain.task.1: the task writes another number of names
template <class T> [[gnu::cold]] void write_labels(const typename T::Labels& labels, checkpoint::Config& config) {
  if constexpr (!stored_labels_contract<T>()) {
    return;
  } else if constexpr (detail::stores_labels<T>) {
    T::write_labels(labels, config);
  } else {
    config.labels = detail::numbered_labels(labels.count());
  }
  const int count = labels.count();
  if (config.labels.size() != static_cast<std::size_t>(count))
    throw Error("entrain.task.1", std::string(T::name), std::to_string(config.labels.size()) + " names of labels",
                std::to_string(count), "correct write_labels of the task");
}

/// The labels of a config.json.
///
/// where     the file, for messages
/// throws    what the task throws, as entrain.train.12; entrain.task.2: other labels than those that its models share
template <class T>
[[gnu::cold]] typename T::Labels read_labels(const checkpoint::Config& config, std::string_view where) {
  if constexpr (!stored_labels_contract<T>() || detail::stores_labels<T>) {
    return T::read_labels(config, where);
  } else {
    const typename T::Labels labels;
    if (config.labels != detail::numbered_labels(labels.count()))
      throw Error(
          "entrain.task.2", where,
          std::to_string(config.labels.size()) + (config.labels.size() == 1 ? " label" : " labels") + " in id2label",
          "LABEL_0 to LABEL_" + std::to_string(labels.count() - 1) + " of the task " + std::string(T::name),
          "restore the file");
    return labels;
  }
}

}  // namespace entrain::task
