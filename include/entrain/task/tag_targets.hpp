// text > batch > [task] > head > optim > checkpoint
//
// Converts the tags of a file to entities, and these to the model's targets.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/task/tag_gaps.hpp"
#include "entrain/task/tagged.hpp"
#include "entrain/task/tagging.hpp"
#include "entrain/task/tags_in_pieces.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/repair.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::task {

/// Calls sink(span) for the entities of sentence s; types index t.types.
template <class Sink> void entities(const Tagged& t, std::size_t s, std::string_view repair, Sink&& sink) {
  const std::size_t first = t.corpus.sentence[s], n = t.corpus.sentence[s + 1] - first;
  const text::MarksAt marks{t.marks, std::span(t.corpus.tag).subspan(first, n)};
  text::with_scheme(t.scheme, [&](auto scheme) {
    text::repair::with_rule(repair, [&](auto rule) { decltype(rule)::template read<decltype(scheme)>(marks, sink); });
  });
}

/// Counts of the conversion from tags to targets.
struct TargetCounts {
  std::size_t entities = 0;
  std::size_t unseen = 0;  // entities whose type is not in the label set; their tokens become O
};

/// Takes the tags of the words that are read, of a corpus in which some words have no piece.
///
/// tags      one for every word of the corpus
template <text::TagScheme S, class Features>
void take_targets(batch::Encoded<Features>& e, const text::Corpus& corpus, std::span<const text::Tag> tags) {
  for (std::size_t s = 0; s < e.sentences(); ++s) {
    const auto all = tags.subspan(corpus.sentence[s], corpus.length(s));
    const auto read = std::span<text::Tag>(e.target).subspan(e.sentence[s], e.sentence[s + 1] - e.sentence[s]);
    if (const auto gaps = e.gaps.of(s); gaps.any())
      text::decode<S>(all, GapEncoder<S>(gaps, read, batch::Encoded<Features>::ignored));
    else
      std::copy(all.begin(), all.end(), read.begin());
  }
}

/// Fills e.target with the tags of `labels`, and with their tags in pieces if every piece is labelled.
template <class Features, text::TagScheme S> TargetCounts set_targets(batch::Encoded<Features>& e, const Tagged& t,
                                                                      const text::Labels<S>& labels,
                                                                      std::string_view repair) {
  TargetCounts counts;
  if constexpr (batch::labels_every_piece<Features>) e.in_pieces = tags_in_pieces(labels);
  std::vector<std::int32_t> type_of;
  for (const std::string& name : t.types.names()) type_of.push_back(labels.types().find(name));
  for (std::size_t s = 0; s < t.corpus.sentences(); ++s) {
    const std::size_t first = t.corpus.sentence[s], n = t.corpus.sentence[s + 1] - first;
    const auto read_into = [&](auto&& write) {
      entities(t, s, repair, [&](text::Span span) {
        ++counts.entities;
        span.type = type_of[static_cast<std::size_t>(span.type)];
        if (span.type == text::Types::none) {
          ++counts.unseen;
        } else {
          write(span);
        }
      });
    };
    if (e.gaps.empty())
      read_into(text::Encoder<S>(std::span<text::Tag>(e.target).subspan(first, n)));
    else if (const auto of = std::span<text::Tag>(e.target).subspan(e.sentence[s], e.sentence[s + 1] - e.sentence[s]);
             e.gaps.of(s).any())
      read_into(GapEncoder<S>(e.gaps.of(s), of, batch::Encoded<Features>::ignored));
    else
      read_into(text::Encoder<S>(of));
  }
  return counts;
}

template <text::TagScheme S> template <class Features>
batch::GoldCounts Tagging<S>::set_targets(batch::Encoded<Features>& e, const Tagged& gold,
                                          const text::Labels<S>& labels) {
  const TargetCounts counts = task::set_targets(e, gold, labels, "conlleval");
  return {counts.entities, counts.unseen, {}};
}

}  // namespace entrain::task
