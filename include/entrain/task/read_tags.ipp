// text > batch > [task] > head > optim > checkpoint
//
// Definitions of read_tags.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/task/read_tags.hpp"
#include "entrain/text/conll/conll_cells.hpp"  // is_type_alone
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/tags/detect.hpp"
#include "entrain/text/tags/label_form.hpp"
#include "entrain/text/tags/tag_place.hpp"

namespace entrain::task {

ENTRAIN_INLINE std::vector<std::string> scheme_notes(const text::Detection& found, text::SchemeId taken,
                                                     const std::string& name, const std::string& repair) {
  std::vector<std::string> notes{text::describe(found, name, taken)};
  const auto first = [](std::size_t n, const std::string& place) {
    return place.empty() ? std::string() : (n == 1 ? ": " : ", the first is ") + place;
  };
  const text::Agreement& with = found.agreement(taken);
  if (const auto n = with.disagreeing; n > 0)
    notes.push_back(name + ": " + std::to_string(n) + (n == 1 ? " tag breaks " : " tags break ") +
                    std::string(text::scheme_name(taken)) + first(n, with.place) + "; read by the rule '" + repair +
                    "' (--repair)");
  if (const auto n = found.malformed; n > 0)
    notes.push_back(name + ": " + std::to_string(n) + (n == 1 ? " of them is not a tag" : " of them are not tags") +
                    first(n, found.malformed_place) + "; read as O");
  return notes;
}

ENTRAIN_INLINE void refuse_unread_tags(const std::string& where, std::string_view tag, std::size_t lines) {
  throw Error("entrain.train.3", where,
              "tag '" + text::excerpt(tag) + "': " + std::string(text::tag_problem(tag)) +
                  "; no entity can be read from " +
                  (lines == 1 ? std::string("the one tag that is not O")
                              : "any of " + std::to_string(lines) + " tags that are not O"),
              "tags such as O, B-PER, I-PER, or types alone such as PER",
              text::detail::is_type_alone(tag)
                  ? "--scheme io reads types without a prefix"
                  : "check --list all lists them; if the tags are in another column, name it with --tag-column");
}

namespace detail {

/// Whether an entity can be read from one of the file's own tags. Called where some tags are invalid.
[[gnu::cold]] inline bool reads_own_tags(const Tagged& t) {
  if (t.corpus.annotated.empty()) return t.types.size() > 0;
  bool reads = false;
  t.corpus.each_unannotated([&](std::size_t s) {
    for (std::size_t i = t.corpus.sentence[s]; i < t.corpus.sentence[s + 1]; ++i)
      reads = reads || t.marks[static_cast<std::size_t>(t.corpus.tag[i])].type != text::Types::none;
  });
  return reads;
}

}  // namespace detail

ENTRAIN_INLINE Tagged tagged(text::Corpus corpus, const TagOptions& options) {
  Tagged t;
  t.corpus = std::move(corpus);
  const text::Corpus& c = t.corpus;
  if (c.size() == 0) throw Error("entrain.train.1", c.name, "no sentence", "at least one token and its tag");
  for (const std::int32_t tag : c.tag)
    if (tag < 0)
      throw Error("entrain.train.2", c.name, "tokens without tags", "a tag for each token", "name the tag column");
  for (const std::string& tag : c.tags) t.marks.push_back(text::read_mark(tag, t.types));
  text::Detector detector;
  std::vector<text::Mark> sentence;
  for (std::size_t s = 0; s < c.sentences(); ++s) {
    sentence.clear();
    for (std::size_t i = c.sentence[s]; i < c.sentence[s + 1]; ++i)
      sentence.push_back(t.marks[static_cast<std::size_t>(c.tag[i])]);
    detector.sentence_of_marks(sentence, [&](std::size_t i) { return text::tag_and_place(c, c.sentence[s] + i); });
  }
  const text::Detection found = detector.finding();
  if (found.malformed > 0 && !detail::reads_own_tags(t)) {
    std::size_t first = 0;
    while (t.marks[static_cast<std::size_t>(c.tag[first])].letter != text::Mark::malformed) ++first;
    refuse_unread_tags(c.where(first), c.tag_name(first), found.malformed);
  }
  t.scheme = options.scheme.empty() ? found.taken : text::scheme_by_name(options.scheme);
  t.notes = scheme_notes(found, t.scheme, c.name, options.repair);
  for (const std::string& one : text::look_alikes(t.types.names())) t.notes.push_back(c.name + ": " + one);
  return t;
}

}  // namespace entrain::task
