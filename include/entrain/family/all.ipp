// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of all.hpp.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/family/all.hpp"

namespace entrain::family {

ENTRAIN_INLINE const Description* find(std::string_view model_type, const Description* own) {
  if (own != nullptr && own->model_type == model_type) return own;
  for (const Description* const one : all)
    if (one->model_type == model_type) return one;
  return nullptr;
}

ENTRAIN_INLINE std::string model_types(const Description* own) {
  std::vector<std::string_view> known;
  for (const Description* const one : all)
    if (find(one->model_type) == one) known.push_back(one->model_type);
  if (own != nullptr && find(own->model_type) == nullptr) known.push_back(own->model_type);
  std::string text;
  for (std::size_t i = 0; i < known.size(); ++i)
    text.append(i == 0 ? "\"" : i + 1 < known.size() ? "\", \"" : "\" or \"").append(known[i]);
  return text + "\"";
}

}  // namespace entrain::family
