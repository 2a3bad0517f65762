// core > device, precision > [tensor] > kernel > layer
//
// Definitions of flat.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/tensor/flat.hpp"

namespace entrain::detail {

ENTRAIN_INLINE void Measure::check_names() const {
  std::vector<std::string_view> names;
  for (const Span& s : layout.spans) names.push_back(s.name);
  std::sort(names.begin(), names.end());
  if (const auto two = std::adjacent_find(names.begin(), names.end()); two != names.end())
    throw Error("entrain.tensor.1", *two, "two parameters have this name", "one",
                "correct 'each' of the Weights, or 'name' of the layer; see docs/extending/layer.md");
}

ENTRAIN_INLINE void Measure::refuse_second(const char* name) const {
  throw Error("entrain.tensor.2", path_ + name, "'each' gives this member of Weights twice", "each member once",
              "give the member of that name; see docs/extending/layer.md");
}

ENTRAIN_INLINE void Measure::refuse_missing(std::size_t found, std::size_t expected) const {
  throw Error(
      "entrain.tensor.3", path_.substr(0, path_.size() - (path_.empty() ? 0 : 1)),
      "'each' gives members of " + std::to_string(found) + " of the " + std::to_string(expected) + " bytes of Weights",
      "all members", "add the missing one, as in f(\"gain\", w.gain, init::ones); see docs/extending/layer.md");
}

ENTRAIN_INLINE std::size_t Measure::enter(const std::string& name) {
  const std::size_t outer = path_.size();
  path_.append(name).append(".");
  return outer;
}

ENTRAIN_INLINE void Measure::add(const char* name, int rows, int cols, bool sparse, bool factor, bool rows_of_labels,
                                 const Initialiser& initial) {
  Span s{path_ + name,     layout.size,   rows,   cols,           sparse,  frozen_,       layout.height,
         layout.gradients, layout.stamps, factor, layout.factors, initial, rows_of_labels};
  layout.size += aligned(s.size());
  if (!frozen_) layout.gradients += aligned(s.size());
  if (factor) layout.factors += aligned(s.size());
  if (sparse && !frozen_) layout.stamps += static_cast<std::size_t>(rows);
  layout.spans.push_back(std::move(s));
}

}  // namespace entrain::detail
