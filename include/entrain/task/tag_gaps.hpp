// text > batch > [task] > head > optim > checkpoint
//
// Moves tags past the words that an encoder does not read. Read batch/encode/gaps.hpp first.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "entrain/batch/encode/gaps.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/scheme.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::task {

/// Writes the tags of the words of a sentence that are read. The entities count all words of the sentence; each is cut
/// to its words that are read.
///
/// tags      one for each word that is read; ignored: the value for a word that has no target
template <text::TagScheme S> class GapEncoder {
 public:
  GapEncoder(batch::Gaps::OfSentence gaps, std::span<text::Tag> tags, text::Tag ignored)
      : gaps_(gaps), tags_(tags), write_(tags) {
    if (gaps_.stand_in) tags_[0] = ignored;
  }
  void operator()(text::Span span) {
    if (gaps_.stand_in) return;
    span.begin -= before(span.begin), span.end -= before(span.end);
    if (span.begin < span.end) write_(span);
  }

 private:
  /// How many gaps are at places before this one.
  std::uint32_t before(std::uint32_t place) const {
    return static_cast<std::uint32_t>(std::lower_bound(gaps_.words.begin(), gaps_.words.end(), place) -
                                      gaps_.words.begin());
  }

  batch::Gaps::OfSentence gaps_;
  std::span<text::Tag> tags_;
  text::Encoder<S> write_;
};

/// The tags of all words of a sentence, from the tags of the words that are read. A word that is not read is inside an
/// entity if the entity continues across it, else O.
template <text::TagScheme S>
void fill_gaps(batch::Gaps::OfSentence gaps, std::span<const text::Tag> read, std::vector<text::Tag>& all) {
  all.clear();
  if (gaps.stand_in) {
    all.assign(1 + gaps.words.size(), 0);
    return;
  }
  auto next = gaps.words.begin();
  const auto put_gaps = [&](text::Tag before, text::Tag after) {
    text::Tag tag = 0;
    if (before > 0 && after > 0 && text::tag_type<S>(before) == text::tag_type<S>(after) &&
        S::continues(text::tag_part<S>(before), text::tag_part<S>(after)))
      tag = text::make_tag<S>(text::tag_type<S>(before), S::part(false, false, false));
    for (; next != gaps.words.end() && *next == all.size(); ++next) all.push_back(tag);
  };
  text::Tag before = 0;
  for (const text::Tag tag : read) {
    put_gaps(before, tag);
    all.push_back(tag);
    before = tag;
  }
  put_gaps(before, 0);
}

}  // namespace entrain::task
