// text > batch > [task] > head > optim > checkpoint
//
// One tag a word: entities, written in a scheme.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "entrain/batch/gaps.hpp"
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

  /// The tags of all words of a sentence, of those that the encoder reads.
  static void fill_gaps(batch::Gaps::OfSentence gaps, std::span<const text::Tag> read, std::vector<text::Tag>& all) {
    batch::fill_gaps<S>(gaps, read, all);
  }
};

}  // namespace entrain::task
