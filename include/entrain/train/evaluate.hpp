// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// A trained net against gold: predictions are scored sentence by sentence and forgotten. No logits are kept.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "entrain/batch/packer.hpp"
#include "entrain/score/counter.hpp"
#include "entrain/text/spans.hpp"
#include "entrain/train/data.hpp"
#include "entrain/train/decode.hpp"

namespace entrain::train {

/// Both readings of the entity scores. Gold is taken as it is written in the file, in the file's own scheme; the
/// model's entities are compared as the model predicted them. So this equals seqeval on the gold file and on what
/// `predict` writes.
template <class Trainer> score::Scores evaluate(Trainer& trainer, const batch::Encoded<typename Trainer::Features>& e,
                                                const Tagged& gold, batch::Packer<typename Trainer::Features>& packer) {
  return text::with_scheme(gold.scheme, [&](auto scheme) {
    using File = decltype(scheme);
    score::Counter<File> counter{text::Labels<File>(trainer.labels().types().names())};
    std::vector<text::Mark> distinct;
    for (const std::string& tag : gold.corpus.tags) distinct.push_back(counter.mark(tag));
    counter.predicted_in(text::scheme_of<typename Trainer::Task::Scheme>());
    std::vector<text::Mark> marks;
    std::vector<text::Span> found;
    predict_all(trainer, e, packer, [&](std::size_t s, std::span<const text::Tag> tags) {
      marks.clear();
      for (std::size_t i = gold.corpus.sentence[s]; i < gold.corpus.sentence[s + 1]; ++i)
        marks.push_back(distinct[static_cast<std::size_t>(gold.corpus.tag[i])]);
      found.clear();
      text::decode<typename Trainer::Task::Scheme>(tags, [&](const text::Span& span) { found.push_back(span); });
      counter.sentence(std::span<const text::Mark>(marks), std::span<const text::Span>(found));
    });
    return counter.scores();
  });
}

}  // namespace entrain::train
