// [text] > batch > embed > encode > head > optim > checkpoint
//
// For files in which some sentences have tags of their own and others have annotations, from which a reader made tags:
// all sentences get the scheme of the original tags. Read text/corpus/corpus.hpp first.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tags/detect.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::text {

namespace detail {

inline std::vector<Mark> marks_of(const Corpus& corpus, Types& types) {
  std::vector<Mark> marks;
  for (const std::string& tag : corpus.tags) marks.push_back(read_mark(tag, types));
  return marks;
}

/// Rewrites the tags of annotated sentences in another scheme.
inline void rewrite_annotated(Corpus& corpus, SchemeId scheme) {
  Types types;
  const std::vector<Mark> marks = marks_of(corpus, types);
  std::vector<Span> spans;
  std::vector<Tag> tags;
  with_scheme(scheme, [&](auto id) {
    using To = decltype(id);
    for (const Corpus::SentenceRange& range : corpus.annotated)
      for (std::size_t s = range.begin; s < range.end; ++s) {
        const std::size_t first = corpus.sentence[s], length = corpus.length(s);
        spans.clear();
        conlleval(MarksAt{marks, std::span(corpus.tag).subspan(first, length)},
                  [&](const Span& span) { spans.push_back(span); });
        tags.resize(length);
        encode<To>(std::span<const Span>(spans), tags);
        for (const Span& span : spans)
          for (std::size_t i = span.begin; i < span.end; ++i) {
            const char letter = To::letters[static_cast<std::size_t>(tag_part<To>(tags[i]))];
            corpus.tag[first + i] = corpus.intern(join_tag(letter, types.name(tag_type<To>(tags[i]))));
          }
      }
  });
}

}  // namespace detail

/// Gives annotated sentences the scheme of the original tags of all files together. None: no file has annotated
/// sentences, or none has others.
inline std::optional<SchemeId> read_in_one_scheme(const std::vector<Corpus*>& files) {
  std::size_t annotated = 0, own = 0;
  for (const Corpus* c : files) annotated += c->annotated_sentences(), own += c->sentences() - c->annotated_sentences();
  if (annotated == 0 || own == 0) return std::nullopt;
  Detector detector;
  for (const Corpus* c : files) {
    Types types;
    const std::vector<Mark> marks = detail::marks_of(*c, types);
    c->each_unannotated([&](std::size_t s) {
      detector.sentence_of_marks(MarksAt{marks, std::span(c->tag).subspan(c->sentence[s], c->length(s))});
    });
  }
  const SchemeId scheme = detector.finding().taken;
  for (Corpus* c : files)
    if (!c->annotated.empty()) detail::rewrite_annotated(*c, scheme);
  return scheme;
}

}  // namespace entrain::text
