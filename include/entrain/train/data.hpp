// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Files of sentences made ready: read, their tag scheme found and said, the label set collected from training, tags
// turned into targets, gold entities kept as they stood in the file.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/encoded.hpp"
#include "entrain/text/conll.hpp"
#include "entrain/text/detect.hpp"
#include "entrain/text/labels.hpp"
#include "entrain/text/repair.hpp"
#include "entrain/text/spans.hpp"

namespace entrain::train {

/// How tag sequences are taken. scheme: empty finds it out. repair: what to do with tags that break it.
struct TagOptions {
  std::string scheme;
  std::string repair = "conlleval";
};

/// A tagged corpus with its scheme: what every split starts as.
struct Tagged {
  text::Corpus corpus;
  text::SchemeId scheme = text::SchemeId::bio;
  std::vector<text::Mark> marks;   // one for each distinct tag string; types index `types`
  text::Types types;               // in order of first sight
  std::vector<std::string> notes;  // what the user should hear: how it was read, which scheme
};

/// throws    what read_conll throws; entrain.train.1 if there is no token; entrain.train.2 if there are no tags
inline Tagged tagged(text::Corpus corpus, const TagOptions& options) {
  Tagged t;
  t.corpus = std::move(corpus);
  const text::Corpus& c = t.corpus;
  if (c.size() == 0) throw Error("entrain.train.1", c.name, "no sentence", "at least one token and its tag");
  for (const std::int32_t tag : c.tag)
    if (tag < 0)
      throw Error("entrain.train.2", c.name, "tokens without tags", "a tag for each token", "name the tag's column");
  for (const std::string& tag : c.tags) t.marks.push_back(text::read_mark(tag, t.types));
  text::Detector detector;
  std::vector<text::Mark> sentence;
  for (std::size_t s = 0; s < c.sentences(); ++s) {
    sentence.clear();
    for (std::size_t i = c.sentence[s]; i < c.sentence[s + 1]; ++i)
      sentence.push_back(t.marks[static_cast<std::size_t>(c.tag[i])]);
    detector.sentence_of_marks(sentence);
  }
  const text::Detection found = detector.finding();
  t.scheme = options.scheme.empty() ? found.taken : text::scheme_by_name(options.scheme);
  t.notes.push_back(text::describe(found, c.name));
  if (const auto n = found.agreement(t.scheme).disagreeing; n > 0)
    t.notes.push_back(c.name + ": " + std::to_string(n) + " tags break " + std::string(text::scheme_name(t.scheme)) +
                      "; read by the rule '" + options.repair + "' (--repair)");
  return t;
}

/// The entity types of training, most frequent first: those that the model can learn.
inline std::vector<std::string> entity_types(const Tagged& t) { return t.types.names(); }

/// Calls sink(span) for the entities of sentence s; types index t.types.
template <class Sink> void entities(const Tagged& t, std::size_t s, std::string_view repair, Sink&& sink) {
  const std::size_t first = t.corpus.sentence[s], n = t.corpus.sentence[s + 1] - first;
  const text::MarksAt marks{t.marks, std::span(t.corpus.tag).subspan(first, n)};
  text::with_scheme(t.scheme, [&](auto scheme) {
    text::repair::with_rule(repair, [&](auto rule) { decltype(rule)::template read<decltype(scheme)>(marks, sink); });
  });
}

/// What happened on the way from tags to targets.
struct Targets {
  std::size_t entities = 0;
  std::size_t unseen = 0;  // entities whose type is not in the label set; their tokens become O
};

/// Fills e.target with the tags of `labels`.
template <class Features, text::TagScheme S> Targets set_targets(batch::Encoded<Features>& e, const Tagged& t,
                                                                 const text::Labels<S>& labels,
                                                                 std::string_view repair) {
  Targets counts;
  std::vector<std::int32_t> type_of;
  for (const std::string& name : t.types.names()) type_of.push_back(labels.types().find(name));
  for (std::size_t s = 0; s < t.corpus.sentences(); ++s) {
    const std::size_t first = t.corpus.sentence[s], n = t.corpus.sentence[s + 1] - first;
    text::Encoder<S> write(std::span<text::Tag>(e.target).subspan(first, n));
    entities(t, s, repair, [&](text::Span span) {
      ++counts.entities;
      span.type = type_of[static_cast<std::size_t>(span.type)];
      if (span.type == text::Types::none) {
        ++counts.unseen;
      } else {
        write(span);
      }
    });
  }
  return counts;
}

}  // namespace entrain::train
