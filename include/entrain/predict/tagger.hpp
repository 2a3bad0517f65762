// text > batch > embed > encode > head > optim > checkpoint > train > [predict]
//
// Texts in, entities out. Read predictor.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/device/cpu.hpp"
#include "entrain/predict/entity.hpp"
#include "entrain/predict/predictor.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tags/spans.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::predict {

/// The predictor of a model whose head learns tags (task::Tagging): it also gives the entities of its tags.
template <class Model, Precision P = precision::Fp32, class D = device::Cpu<>::ToPredict> class Tagger
    : public Predictor<Model, P, D> {
  using Base = Predictor<Model, P, D>;
  using typename Base::Loan, typename Base::Workspace;
  static_assert(
      requires { typename Model::Task::Scheme; },
      "entrain: predict::Tagger finds entities, and the head of this model does not learn tags; use "
      "predict::Predictor.");

 public:
  using Scheme = typename Model::Task::Scheme;
  using Base::Base;

  /// The entities of a text, from left to right.
  std::vector<Entity> entities(std::string_view text) const {
    std::vector<Entity> found;
    entities(text, found);
    return found;
  }
  /// The same into the caller's buffer, which is emptied first.
  void entities(std::string_view text, std::vector<Entity>& found) const {
    entities(std::span(&text, 1), std::span(&found, 1));
  }
  /// Many texts at once; short ones are computed together.
  /// throws    entrain.predict.2 if the two differ in length
  void entities(std::span<const std::string_view> texts, std::span<std::vector<Entity>> found) const {
    demand_equal(texts.size(), "text", found.size());
    const Loan loan(*this);
    this->split(*loan.workspace, texts);
    find(*loan.workspace, found);
  }
  /// Sentences that are already split into words. A sentence's text is its words with a single space between two.
  /// throws    entrain.predict.2 if the two differ in length        entrain.predict.3: a sentence of 4 GiB or more
  void entities(std::span<const std::span<const std::string_view>> sentences,
                std::span<std::vector<Entity>> found) const {
    demand_equal(sentences.size(), "sentence", found.size());
    const Loan loan(*this);
    Workspace& w = *loan.workspace;
    w.clear();
    for (std::size_t s = 0; s < sentences.size(); ++s) {
      const std::size_t first = w.words.size();
      std::size_t begin = 0, begin_cp = 0;
      for (const std::string_view word : sentences[s]) {
        const std::size_t end = begin + word.size(), end_cp = begin_cp + text::count_code_points(word);
        if (end > std::numeric_limits<std::uint32_t>::max())
          throw Error("entrain.predict.3", "", "a sentence of " + std::to_string(end) + " bytes or more",
                      "at most 4294967295", "split it and pass each part on its own");
        w.words.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                           static_cast<std::uint32_t>(begin_cp), static_cast<std::uint32_t>(end_cp)});
        w.corpus.push(word, 0);
        begin = end + 1;
        begin_cp = end_cp + 1;
      }
      if (!sentences[s].empty()) w.end_sentence({s, first});
    }
    find(w, found);
  }

  /// Calls sink(sentence, tags) for each sentence of a corpus that is already split; returns as Predictor::predict. A
  /// word without pieces is O, or in the entity that continues after it.
  template <class Sink> batch::Unread tags(const text::Corpus& corpus, Sink&& sink) const {
    return this->predict(corpus, sink);
  }

 private:
  static void demand_equal(std::size_t given, const char* what, std::size_t buffers) {
    if (given != buffers)
      throw Error("entrain.predict.2", "", std::to_string(given) + " " + what + "s",
                  std::to_string(buffers) + " buffers", std::string("one buffer for each ") + what);
  }

  /// Writes the entities of the workspace's sentences to the texts that contain them.
  void find(Workspace& w, std::span<std::vector<Entity>> found) const {
    for (std::vector<Entity>& of_text : found) of_text.clear();
    this->run(w, [&](const Sentence& sentence, std::span<const text::Tag> tags) {
      const auto place = static_cast<std::uint32_t>(sentence.place);
      text::decode<Scheme>(tags, [&](const text::Span& span) {
        const text::Token &first = sentence.words[span.begin], &last = sentence.words[span.end - 1];
        found[sentence.text].push_back({first.begin, last.end, first.begin_cp, last.end_cp, place + span.begin,
                                        place + span.end, span.type, this->labels().types().name(span.type)});
      });
    });
  }
};

/// The tagger for the models of a trainer type.
template <class Trainer> using TaggerOf =
    Tagger<typename detail::PartsOf<Trainer>::Model, typename detail::PartsOf<Trainer>::Policy,
           typename detail::PartsOf<Trainer>::Device>;

/// Loads the tagger of a folder.
template <class Model, Precision P = precision::Fp32, class D = device::Cpu<>::ToPredict>
Tagger<Model, P, D> load(const std::string& folder, Limits limits = {}) {
  return Tagger<Model, P, D>(folder, limits);
}
template <class Trainer, Precision P = precision::Fp32, class D = device::Cpu<>::ToPredict>
requires train::IsTrainer<Trainer> Tagger<typename Trainer::Model> load(const std::string& folder, Limits limits = {}) {
  static_assert(
      !train::is_trainer<Trainer>,
      "entrain: predict::load takes a model, as in predict::load<model::Tagger<...>>(folder), and this type is a "
      "trainer; its tagger is predict::TaggerOf<Trainer>(folder).");
  return Tagger<typename Trainer::Model>(folder, limits);
}

}  // namespace entrain::predict
