// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of session.hpp for trainings that learn classes of texts.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/options/wrong_usage.hpp"
#include "entrain/app/output/output.hpp"
#include "entrain/app/train/result_words.hpp"
#include "entrain/app/train/session.hpp"
#include "entrain/core/error.hpp"
#include "entrain/task/class_scores.hpp"
#include "entrain/task/classes.hpp"

namespace entrain::app {

/// Options of tags, and ways of reading files, that have no effect on texts with classes.
ENTRAIN_INLINE void Session::refuse_for_classes() const {
  const auto refuse = [](const char* option, const char* found) {
    throw WrongUsage("entrain.app.88", option, found, "an option for classes of texts", "omit it");
  };
  if (!s_.reading.scheme.empty()) refuse("--scheme", "a scheme of tags");
  if (s_.reading.repair != Reading{}.repair) refuse("--repair", "a rule for tags");
  if (s_.stream) refuse("--stream, --cache or --augment-case, -swap, -drop", "texts, which are kept in memory");
  if (!s_.splitter.empty()) refuse("--splitter", "a splitter of words, which the model's features fix");
  if (!s_.sentence_splitter.empty()) refuse("--sentence-splitter", "a splitter of sentences");
  if (!s_.labels.empty()) refuse("--labels", "entity types");
}

ENTRAIN_INLINE std::string Session::labels_in_words() const {
  const std::string list = ": " + detail::labels_listed(types());
  if (facts_.learns != Learns::tags)
    return counted(types().size(), "class", "classes") +
           (facts_.learns == Learns::one_class ? ", one for each text" : ", any number for each text") + list;
  return std::to_string(types().size()) + (types().size() == 1 ? " type in " : " types in ") +
         std::string(text::scheme_name(facts_.scheme)) + list;
}

ENTRAIN_INLINE std::string_view Session::score_name() const {
  return facts_.learns == Learns::one_class ? "best_dev_accuracy" : "best_dev_f1";
}

ENTRAIN_INLINE double Session::score_dev(task::ClassScores scores) {
  last_classes_ = std::move(scores);
  return task::ClassScorer::score(last_classes_);
}

ENTRAIN_INLINE void Session::demand_equal(std::span<const float> trained, std::span<const float> reloaded) {
  const text::Corpus& corpus = proof().corpus;
  const std::size_t labels = types().size();
  for (std::size_t i = 0; i < trained.size(); ++i)
    if (trained[i] != reloaded[i])
      throw Error("entrain.app.9", corpus.where(corpus.sentence[i / labels]),
                  "the model read back from " + s_.output + " gives this text other probabilities than the trained one",
                  "the same probabilities", "this is a bug in entrain: please report it");
  console_.fact("reloaded", s_.output + ": the same probabilities for " + counted(corpus.sentences(), "text", "texts") +
                                " of " + corpus.name);
}

ENTRAIN_INLINE void Session::report(std::span<const float> probabilities, const train::Outcome& outcome) {
  if (test_) {
    task::ClassScorer scorer(test_->corpus, task::Classes(types()), facts_.learns == Learns::one_class);
    for (std::size_t s = 0; s < test_->corpus.sentences(); ++s)
      scorer.sentence(s, probabilities.subspan(s * types().size(), types().size()));
    const task::ClassScores scores = scorer.scores();
    Output out("-");
    out.write(s_.json ? final_json(scores, outcome) : final_table(test_->corpus.name, scores));
  }
  console_.say_warnings();
}

}  // namespace entrain::app
