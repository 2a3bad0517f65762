// text > batch > [task] > head > optim > checkpoint
//
// The classes of a model, by number.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"

namespace entrain::task {

class Classes {
 public:
  static constexpr std::int32_t none = -1;

  Classes() = default;
  /// throws    entrain.task.3: a name occurs twice
  explicit Classes(std::vector<std::string> names) : names_(std::move(names)) {
    for (std::size_t k = 0; k < names_.size(); ++k)
      if (!at_.emplace(names_[k], static_cast<std::int32_t>(k)).second)
        throw Error("entrain.task.3", "classes", "'" + names_[k] + "' twice", "distinct names", "name each class once");
  }

  int count() const { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }
  const std::string& name(std::int32_t k) const { return names_[static_cast<std::size_t>(k)]; }
  /// The number of a class, or none.
  std::int32_t find(std::string_view name) const {
    const auto at = at_.find(std::string(name));
    return at == at_.end() ? none : at->second;
  }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t> at_;
};

}  // namespace entrain::task
