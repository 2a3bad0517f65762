// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// A training as one object, for programs that are not made of commands: gold data in, a trained model out. It prints
// nothing. Read fit.hpp for the loop, and trainer.hpp for what the loop calls.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/file_targets.hpp"
#include "entrain/batch/pack/batching.hpp"
#include "entrain/batch/pack/packed.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/batch/pack/shuffle_buffer.hpp"
#include "entrain/batch/pipeline/cores.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/checkpoint/config.hpp"
#include "entrain/task/calibration.hpp"
#include "entrain/task/contract.hpp"
#include "entrain/task/tag_targets.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/folder/pretrained.hpp"
#include "entrain/train/folder/save.hpp"
#include "entrain/train/loop/evaluate.hpp"
#include "entrain/train/loop/fit.hpp"
#include "entrain/train/loop/free_for_plan.hpp"
#include "entrain/train/loop/predict_shifted.hpp"

namespace entrain::train {

/// What differs between two trainings of one type besides their data.
template <class Trainer> struct TrainingOptions : Options {
  int threads = 1;         // of the device; 0: all cores
  std::string pretrained;  // the folder whose weights and tokenizer a pretrained encoder starts from
  std::string vectors;     // the file of word vectors that embed::WithVectors starts from

  TrainingOptions() : Options(default_options<Trainer>()) {}
};

/// Encodes gold, takes its targets, and makes the trainer with memory for the largest batch.
///
/// Trainer   for batches that the host packs (batch::Streamed)
template <class Trainer> class Training {
 public:
  using Task = typename Trainer::Task;
  using Gold = typename Task::Gold;
  using Features = typename Trainer::Features;
  using Encoded = batch::Encoded<Features>;
  using Loader = batch::Workers<batch::Packed<batch::Whole<Features>>>;
  static_assert(task::gold_contract<Task>());

  /// dev: for scores after each epoch, and for the best values; may be null. It outlives the training.
  ///
  /// throws    what read_start, start_from_pretrained and start_from_vectors throw; entrain.train.50: too little memory
  explicit Training(const Gold& gold, const Gold* dev = nullptr, TrainingOptions<Trainer> options = {})
      : options_(std::move(options)),
        dev_(dev),
        start_(read_start<Features>(has_vectors<Features> ? std::string() : options_.pretrained, options_.vectors)),
        learned_(encoded(gold)),
        device_(Trainer::Device::with(options_.threads > 0 ? options_.threads : batch::cores_here())),
        trainer_(device_, Task::labels_of(gold), rows(gold), options_.seed),
        packer_(trainer_.rows()) {
    counts_ = Task::set_targets(learned_, gold, trainer_.labels());
    if (options_.word_dropout > 0) batch::add_unknown_word_copies(learned_);
    if constexpr (!Features::by_words)
      if (!options_.pretrained.empty()) notes_ = start_from_pretrained(trainer_, options_.pretrained);
    if constexpr (has_vectors<Features>) {
      start_from_vectors(trainer_, start_.vectors);
      notes_ = start_.notes;
      start_.vectors = {};
    }
  }
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  /// Trains to the end of the options, and leaves the best values in the trainer.
  ///
  /// on_step   on_step(StepReport)        on_scores     on_scores(step, scores of dev, whether they are the best)
  template <class OnStep, class OnScores> Outcome fit(OnStep&& on_step, OnScores&& on_scores) {
    std::optional<Scores> scores;
    const auto score_dev = [&] {
      if (dev_ == nullptr) return -1.0;
      scores = train::evaluate(trainer_, dev_encoded_, *dev_, packer_);
      return Task::Scorer::score(*scores);
    };
    const auto run = [&](auto&& evaluate) {
      return train::fit(trainer_, learned_, options_, on_step, evaluate, [&](std::uint32_t step, double, bool best) {
        if (scores) on_scores(step, std::as_const(*scores), best);
      });
    };
    if constexpr (requires(const Scores& s) { s.shift; }) {
      const auto shifts = [&]() -> const std::vector<double>& { return scores->shift; };
      return run(task::Evaluation{score_dev, shifts, task::NoFunction()});
    } else if constexpr (predicts_shifted<Trainer>) {
      const auto shifted = [&](std::span<const double> of_label, std::span<const double> shifts) {
        return train::evaluate_shifted(trainer_, dev_encoded_, *dev_, packer_, {of_label, shifts}, [] {});
      };
      return run(task::Evaluation{score_dev, task::NoFunction(), shifted});
    } else {
      return run(score_dev);
    }
  }
  template <class OnStep> Outcome fit(OnStep&& on_step) {
    return fit(on_step, [](std::uint32_t, const auto&, bool) {});
  }
  Outcome fit() {
    return fit([](const StepReport&) {});
  }

  using Scores = std::decay_t<decltype(std::declval<const typename Task::Scorer&>().scores())>;
  /// The scores of the current values on other gold.
  Scores evaluate(const Gold& gold) {
    const Encoded other = encoded(gold);
    if (other.longest() > trainer_.rows() && !decodes_in_parts<typename Trainer::Model, typename Trainer::Device>)
      throw Error("entrain.train.60", Task::corpus(gold).name, "a text of " + std::to_string(other.longest()) + " rows",
                  "at most " + std::to_string(trainer_.rows()) + ", for which the trainer has memory",
                  "raise token_budget, or split the text");
    return train::evaluate(trainer_, other, gold, packer_);
  }
  /// Writes the model's folder, which predict:: loads.
  ///
  /// throws    what checkpoint::save throws
  void save(const std::string& folder) {
    checkpoint::Config about;
    about.splitter = Task::template splitter<Features::by_words>;
    about.sentence_splitter = Task::sentence_splitter;
    remember(about, options_);
    train::save(trainer_, folder, std::move(about), start_.source_files);
  }

  // for a loop of the caller's own

  Trainer& trainer() { return trainer_; }
  const TrainingOptions<Trainer>& options() const { return options_; }
  /// Gives the batches of an epoch in the order of fit().
  Loader loader() const {
    return Loader(batch::Packed(batch::Whole<Features>(learned_, options_.seed), packed_options(trainer_, options_)),
                  {options_.loader_workers});
  }
  /// The steps of such a loop over all epochs.
  std::uint32_t total_steps() const { return train::total_steps(options_, learned_); }
  /// What was found in gold: annotations of classes that the model does not learn.
  const batch::GoldCounts& counts() const { return counts_; }
  /// Messages for the user about the pretrained folder.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  Encoded encoded(const Gold& gold) const { return batch::encode<Features>(Task::corpus(gold), start_.features); }
  /// Of the largest batch, for which there is memory; encodes dev.
  int rows(const Gold& gold) {
    if (dev_ != nullptr) dev_encoded_ = encoded(*dev_);
    const auto most = static_cast<int>(batch::largest_batch(learned_.rows, options_.batching()));
    const int rows = rows_to_decode<typename Trainer::Model, typename Trainer::Device>(most, dev_encoded_.longest());
    if constexpr (Trainer::Device::in_host_memory)
      refuse_no_memory(Trainer::planned(Task::labels_of(gold).count(), rows).asked(), rows);
    return rows;
  }

  TrainingOptions<Trainer> options_;
  const Gold* dev_;
  Start<Features> start_;
  Encoded learned_, dev_encoded_;
  batch::GoldCounts counts_;
  std::vector<std::string> notes_;
  typename Trainer::Device device_;
  Trainer trainer_;
  batch::Packer<Features> packer_;
};

}  // namespace entrain::train
