// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `predict`: a saved model's entities in text. Read answer.hpp for formats and streams.
#pragma once
#include <string>
#include <vector>

#include "entrain/app/answer.hpp"
#include "entrain/app/machine.hpp"
#include "entrain/app/settings.hpp"
#include "entrain/predict/tagger.hpp"
#include "entrain/train/folder.hpp"

namespace entrain::app {

template <class Model, Precision P, class D> int predict_entities(const Settings& s) {
  const predict::Limits limits{.batch_tokens = s.training.token_budget, .threads = threads_or_all(s.threads)};
  const predict::Tagger<Model, P, D> tagger(s.model, limits);
  Answerer model{tagger.splitting(),
                 tagger.labels().types().names(),
                 train::composition_of<Model, typename P::Master>().scheme,
                 tagger.notes(),
                 {}};
  model.tag_all = [&tagger](const text::Corpus& corpus, std::vector<text::Tag>& tags) {
    tags.clear();
    tagger.tags(corpus, [&tags](std::size_t, std::span<const text::Tag> sentence) {
      tags.insert(tags.end(), sentence.begin(), sentence.end());
    });
  };
  return answer(model, s);
}

}  // namespace entrain::app
