// text > batch > [task] > head > optim > checkpoint
//
// Definitions of survey.hpp.
#pragma once
#include <algorithm>
#include <span>
#include <utility>

#include "entrain/core/error.hpp"
#include "entrain/task/read_tags.hpp"  // refuse_unread_tags
#include "entrain/task/survey.hpp"
#include "entrain/text/corpus/unlabelled.hpp"
#include "entrain/text/tags/spans.hpp"
#include "entrain/text/tags/tag_place.hpp"
#include "entrain/text/unicode/invalid_utf8.hpp"

namespace entrain::task {
namespace detail {
template <class Numbers> void add_numbers(checkpoint::Sha256& sum, const Numbers& numbers) {
  const std::uint64_t size = numbers.size();  // the same numbers with other boundaries are another list
  sum.add(std::as_bytes(std::span(&size, 1)));
  sum.add(std::as_bytes(std::span(numbers)));
}
}  // namespace detail

ENTRAIN_INLINE void Surveyor::see(const text::Corpus& block) {
  Survey& all = found_;
  if (all.name.empty()) all.name = block.name;
  if (all.sentences == 0 && block.sentences() > 0) all.first = block;
  for (std::size_t i = 0; i < block.size(); ++i)
    if (block.tag[i] < 0)
      throw Error("entrain.train.2", block.where(i), "tokens without tags", "a tag for each token",
                  "name the tag column");
  distinct_.clear();
  for (const std::string& tag : block.tags) distinct_.push_back(text::read_mark(tag, all.types));
  if (first_malformed_.empty())
    for (std::size_t k = 0; k < distinct_.size() && first_malformed_.empty(); ++k)
      if (distinct_[k].letter == text::Mark::malformed) {
        std::size_t i = 0;
        while (block.tag[i] != static_cast<std::int32_t>(k)) ++i;
        first_malformed_ = block.where(i);
        its_tag_ = block.tags[k];
      }
  all.mentions.resize(static_cast<std::size_t>(all.types.size()));
  auto annotated = block.annotated.begin();
  for (std::size_t s = 0; s < block.sentences(); ++s) {
    while (annotated != block.annotated.end() && annotated->end <= s) ++annotated;
    const bool own = annotated == block.annotated.end() || s < annotated->begin;
    own_ += own;
    text::Detector& detector = own ? detector_ : of_annotated_;
    const text::MarksAt marks{distinct_, std::span(block.tag).subspan(block.sentence[s], block.length(s))};
    detector.sentence_of_marks(marks, [&](std::size_t i) { return text::tag_and_place(block, block.sentence[s] + i); });
    text::conlleval(marks, [&](const text::Span& span) {
      ++all.entities;
      ++all.mentions[static_cast<std::size_t>(span.type)];
    });
  }
  all.sentences += block.sentences();
  all.words += block.size();
  all.met += block.met;
  if (all.first_invalid.empty()) all.first_invalid = text::first_invalid_word(block);
  if (all.first_lone.empty()) all.first_lone = text::first_lone_surrogate(block);
  for (const text::Problem& p : block.problems)
    if (listed_[static_cast<std::size_t>(p.of)]++ < problem_cap)
      all.problems.push_back({p.line, p.reason, p.file.empty() ? block.name : p.file, p.of});
  detail::add_numbers(sum_, block.bytes);
  detail::add_numbers(sum_, block.begin);
  detail::add_numbers(sum_, block.sentence);
  detail::add_numbers(sum_, block.tag);
  for (const std::string& tag : block.tags) detail::add_numbers(sum_, tag);
}

ENTRAIN_INLINE Survey Surveyor::done() && {
  if (found_.words == 0)
    throw Error("entrain.train.1", found_.name, "no sentence" + text::in_lines(found_.met),
                "at least one token and its tag",
                text::remedy_for_no_word(found_.name, found_.met, found_.problems, found_.met.problems()));
  text::forget_unlabelled(found_.problems, found_.met);
  found_.scheme = (own_ > 0 ? detector_ : of_annotated_).finding();
  if (found_.scheme.malformed > 0 && found_.scheme.letters.empty())
    refuse_unread_tags(first_malformed_, its_tag_, found_.scheme.malformed);
  found_.identity = std::to_string(found_.sentences) + " sentences, " + std::to_string(found_.words) +
                    " words, sha256 " + sum_.hex().substr(0, 16);
  return std::move(found_);
}

}  // namespace entrain::task
