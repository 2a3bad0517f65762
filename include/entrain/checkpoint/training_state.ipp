// text > batch > embed > encode > head > optim > [checkpoint]
//
// Definitions of training_state.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/checkpoint/config.hpp"  // NamedText
#include "entrain/checkpoint/quote.hpp"
#include "entrain/checkpoint/safetensors.hpp"
#include "entrain/checkpoint/sha256.hpp"
#include "entrain/checkpoint/training_state.hpp"
#include "entrain/core/error.hpp"

namespace entrain::checkpoint {

ENTRAIN_INLINE std::string detail::sum_of(const TrainingState& state, std::span<const TensorView> tensors) {
  std::vector<const TensorView*> order;
  for (const TensorView& t : tensors) order.push_back(&t);
  std::sort(order.begin(), order.end(), [](const TensorView* a, const TensorView* b) { return a->name < b->name; });
  Sha256 sum;
  const auto add = [&](std::string_view text) { sum.add(std::as_bytes(std::span(text))); };
  for (const auto* list : {&state.same, &state.at})
    for (const NamedText& t : *list) add(t.name), add(t.text);
  for (const TensorView* t : order) add(t->name), sum.add(t->bytes);
  return sum.hex();
}

ENTRAIN_INLINE const std::string* StoredTrainingState::text(std::string_view name) const {
  for (const NamedText& t : state.at)
    if (t.name == name) return &t.text;
  return nullptr;
}

ENTRAIN_INLINE void StoredTrainingState::not_a_number(std::string_view name, bool whole) const {
  const std::string* const in_file = text(name);
  throw Error("entrain.checkpoint.72", where(),
              detail::in_quotes(std::string(detail::at_key).append(name)) + " is " +
                  (in_file == nullptr ? "missing" : detail::in_quotes(*in_file)),
              whole ? "a whole number" : "a number", "the file is damaged");
}

}  // namespace entrain::checkpoint
