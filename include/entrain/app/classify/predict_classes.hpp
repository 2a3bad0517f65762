// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `predict`: gives texts their classes with a saved model. Read classes_of_texts.hpp for formats and streams.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "entrain/app/classify/classes_of_texts.hpp"
#include "entrain/app/options/machine.hpp"
#include "entrain/app/options/settings.hpp"
#include "entrain/predict/predictor.hpp"

namespace entrain::app {

template <class Model, Precision P, class D> [[gnu::cold]] int predict_classes(const Settings& s) {
  using Predictor = predict::Predictor<Model, P, typename D::ToPredict>;
  const Predictor predictor(s.model, {.batch_tokens = s.training.token_budget, .threads = threads_or_all(s.threads)});
  ClassifyBackend model{predictor.labels().names(), Model::Task::exclusive, predictor.notes(), &predictor, {}};
  model.classify = [](const void* it, std::span<const std::string_view> texts, std::vector<float>& probabilities) {
    const auto& of = *static_cast<const Predictor*>(it);
    const auto classes = static_cast<std::size_t>(of.labels().count());
    of.predict(texts, [&](const predict::Sentence& text, std::span<const float> p) {
      std::copy(p.begin(), p.end(), probabilities.begin() + static_cast<std::ptrdiff_t>(text.text * classes));
    });
  };
  return answer_classes(model, s);
}

}  // namespace entrain::app
