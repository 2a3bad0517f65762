// text > batch > [task] > head > optim > checkpoint
//
// One tag a word: entities, written in a scheme.
#pragma once
#include <string_view>

#include "entrain/tensor/targets.hpp"
#include "entrain/text/labels.hpp"
#include "entrain/text/scheme.hpp"

namespace entrain::task {

/// Targets     tags of Labels, below 0 where nothing is learned         Prediction  tags of Labels
template <text::TagScheme S> struct Tagging {
  static constexpr std::string_view name = "tagging";
  using Scheme = S;
  using Labels = text::Labels<S>;
  using Targets = PerRow<const text::Tag>;
  using Prediction = PerRow<text::Tag>;
};

}  // namespace entrain::task
