// text > batch > [task] > head > optim > checkpoint
//
// Compares the gold entities of a split, whose tags are in one scheme, with the predicted ones.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "entrain/score/counter.hpp"
#include "entrain/task/tagged.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/scheme.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::task {

/// Counts the entities of a split's sentences; find(sink) calls sink(span) for the entities that were predicted in one.
///
/// File      the scheme of the gold tags
template <text::TagScheme File> class CountTags {
 public:
  CountTags(const Tagged& gold, const std::vector<std::string>& types)
      : gold_(&gold.corpus), counter_{text::Labels<File>(types)} {
    for (const std::string& tag : gold.corpus.tags) distinct_.push_back(counter_.mark(tag));
  }
  void predicted_in(text::SchemeId scheme) { counter_.predicted_in(scheme); }
  template <class Find> void sentence(std::size_t s, Find&& find) {
    marks_.clear();
    for (std::size_t i = gold_->sentence[s]; i < gold_->sentence[s + 1]; ++i)
      marks_.push_back(distinct_[static_cast<std::size_t>(gold_->tag[i])]);
    found_.clear();
    find([this](const text::Span& span) { found_.push_back(span); });
    counter_.sentence(std::span<const text::Mark>(marks_), std::span<const text::Span>(found_));
  }
  const score::Scores& scores() const { return counter_.scores(); }

 private:
  const text::Corpus* gold_;
  score::Counter<File> counter_;
  std::vector<text::Mark> distinct_, marks_;
  std::vector<text::Span> found_;
};

}  // namespace entrain::task
