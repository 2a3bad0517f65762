// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The data of a training that learns classes of texts: a corpus in memory. Read training_data.hpp for tags.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/app/train/training_data.hpp"
#include "entrain/batch/encode/encoded.hpp"
#include "entrain/task/contract.hpp"  // is_tagging
#include "entrain/train/loop/fit.hpp"
#include "entrain/train/state/resume.hpp"  // identity_of

namespace entrain::app {

/// The members of TrainingData, for a task with a target for each text.
template <class Trainer>
requires(!task::is_tagging<typename Trainer::Task>) class TrainingData<Trainer> {
  using Features = typename Trainer::Features;
  using Task = typename Trainer::Task;

 public:
  [[gnu::cold]] TrainingData(Session& session, const Settings& settings, const Features& features,
                             const typename Trainer::Labels& labels)
      : session_(session),
        labels_(labels),
        output_(settings.output),
        corpus_(batch::encode<Features>(session.train().corpus, features)) {
    Task::set_targets(corpus_, session.train().corpus, labels);
    if (session.training().word_dropout > 0) batch::add_unknown_word_copies(corpus_);
  }

  std::span<const std::int32_t> rows() const { return corpus_.rows; }
  void warn_of_sizes(int batch_rows) const {
    app::warn_of_sizes(session_.train(), corpus_, batch_rows, session_.console());
  }
  std::string longest_at() const {
    const text::Corpus& c = session_.train().corpus;
    const auto longest = std::max_element(corpus_.rows.begin(), corpus_.rows.end()) - corpus_.rows.begin();
    return c.where(c.sentence[static_cast<std::size_t>(longest)]);
  }
  std::vector<float> class_weights() const {
    std::vector<std::uint64_t> texts(static_cast<std::size_t>(labels_.count()));
    for (const auto& target : corpus_.target)
      for (int k = 0; k < labels_.count(); ++k)
        if constexpr (Task::exclusive)
          texts[static_cast<std::size_t>(k)] += target == k;
        else
          texts[static_cast<std::size_t>(k)] += is_target(target) && target.has(k);
    return session_.class_weights(texts);
  }
  std::string identity() const { return train::identity_of(corpus_); }
  std::uint32_t total_steps(const train::Options& options) const { return train::total_steps(options, corpus_); }
  const batch::Encoded<Features>& corpus() const { return corpus_; }
  void say_new() const {}
  void say_met() const {}
  std::size_t bytes_on_device() const { return batch::corpus_bytes<typename Trainer::Batches>(corpus_); }

  template <class OnStep, class Evaluate, class OnEvaluation, class Keep>
  [[gnu::cold]] train::Outcome fit(Trainer& trainer, const train::Options& options, std::uint32_t, OnStep&& on_step,
                                   Evaluate&& evaluate, OnEvaluation&& on_evaluation,
                                   train::Progress<typename Trainer::Number> from, const std::string&,
                                   Keep&& keep) const {
    return train::fit(trainer, corpus_, options, on_step, evaluate, on_evaluation, std::move(from),
                      [&](const auto& now) { keep(now, std::string()); });
  }

 private:
  Session& session_;
  const typename Trainer::Labels& labels_;
  std::string output_;
  batch::Encoded<Features> corpus_;
};

}  // namespace entrain::app
