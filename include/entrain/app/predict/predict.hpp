// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `predict`: finds entities in text with a saved model. Read answer.hpp for formats and streams.
#pragma once
#include <string>
#include <vector>

#include "entrain/app/options/machine.hpp"
#include "entrain/app/options/settings.hpp"
#include "entrain/app/predict/answer.hpp"
#include "entrain/predict/tagger.hpp"
#include "entrain/train/folder/folder.hpp"
#include "entrain/train/loop/decode_parts.hpp"

namespace entrain::app {

template <class Model, Precision P, class D> [[gnu::cold]] int predict_entities(const Settings& s) {
  using Tagger = predict::Tagger<Model, P, typename D::ToPredict>;
  const Tagger tagger(s.model, {.batch_tokens = s.training.token_budget, .threads = threads_or_all(s.threads)});
  PredictBackend model{tagger.splitting(),
                       tagger.labels().types().names(),
                       text::scheme_of<typename Tagger::Scheme>(),
                       tagger.notes(),
                       train::decodes_in_parts<Model, typename D::ToPredict>,
                       &tagger,
                       {}};
  model.tag_all = [](const void* it, const text::Corpus& corpus, std::vector<text::Tag>& tags) {
    tags.clear();
    return static_cast<const Tagger*>(it)->tags(corpus, [&tags](std::size_t, std::span<const text::Tag> sentence) {
      tags.insert(tags.end(), sentence.begin(), sentence.end());
    });
  };
  return answer(model, s);
}

}  // namespace entrain::app
