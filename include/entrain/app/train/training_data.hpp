// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The data that a training of the command line learns from: a corpus in memory or in a cache, or files that are read
// again each epoch, which may be of any size. All are one type, so that the training loop is compiled once.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/input/ingest_stats.hpp"
#include "entrain/app/input/text_source.hpp"
#include "entrain/app/options/wrong_usage.hpp"
#include "entrain/app/train/cut_mapping.hpp"
#include "entrain/app/train/session.hpp"
#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/pack/budgeted.hpp"
#include "entrain/batch/pack/cursor_text.hpp"
#include "entrain/batch/pack/packed.hpp"
#include "entrain/batch/pack/shuffled.hpp"
#include "entrain/batch/pipeline/mapped.hpp"
#include "entrain/batch/pipeline/one_of.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/batch/transfer/resident.hpp"  // corpus_bytes
#include "entrain/task/file_tags.hpp"
#include "entrain/text/tags/reading.hpp"
#include "entrain/train/loop/fit.hpp"

namespace entrain::app {

/// The part of a training's data that depends only on words and labels, not on the trainer: for those in
/// training_data_once.hpp it is compiled once per build. Its functions are in training_data.ipp.
template <class Features, text::TagScheme Scheme> class Sentences {
 public:
  using Labels = text::Labels<Scheme>;
  using Encode = batch::EncodeBy<Features, task::FileTags<Scheme, text::ReadBy>, TextSource>;
  using Read = batch::Mapped<UpdateIngestStats, batch::Workers<Encode>>;
  using FromFiles = batch::Prefetch<batch::Shuffled<Read>>;
  using Buffers = batch::OneOf<batch::Whole<Features>, FromFiles>;

  /// The loader of a training.
  class Loader {
    using Inside = batch::Workers<batch::Packed<Buffers>>;

   public:
    using Item = typename Inside::Item;
    using Cursor = typename Inside::Cursor;

    /// The training that asks for batches gives the numbers: packed_options.
    Loader(const Sentences& of, const train::Options& options, batch::PackedOptions packed);
    Loader(Loader&&) noexcept;
    ~Loader();

    void start(std::uint32_t epoch, const Cursor& at);
    Cursor cursor();
    bool next(Item& item, Lane* lane = nullptr);

    /// The cursor from the text that the training was given; an empty text is the beginning.
    static Cursor from(const std::string& place, const std::string& where);
    static std::string text_of(const Cursor& at);

   private:
    std::unique_ptr<Inside> inside_;
  };

  /// Reads what has not been read yet: encodes a corpus that stays in memory; otherwise finds what a plan must know.
  Sentences(Session& session, const Settings& settings, const Features& features, const Labels& labels);

  /// Rows of sentences: of all; if they are not kept in memory, of the longest ones, as many as a batch has.
  std::span<const std::int32_t> rows() const;
  /// Warns of sentences that fill a batch alone, and of words that the encoder does not read as a whole.
  void warn_of_sizes(int batch_rows) const;
  /// `file:line` of the longest sentence; for files that are not kept in memory, their name.
  std::string longest_at() const;
  std::vector<float> class_weights() const;
  std::string identity() const;
  /// Number of optimization steps that `options` make of the data; for files, found by a pass over them per epoch.
  std::uint32_t total_steps(const train::Options& options) const;
  /// Prints what has turned up since the last call, in files that are read again during training.
  void say_new() const {
    if (met_) met_->say_new(session_.console());
  }
  void say_met() const {
    if (met_) met_->say_total(session_.console());
  }
  /// Whether files are read again each epoch; otherwise corpus() has all sentences.
  bool from_files() const { return from_files_; }
  const batch::Encoded<Features>& corpus() const { return corpus_; }

 private:
  using Batches = batch::Budgeted<Buffers>;

  Buffers buffers(UpdateIngestStats seen = {}) const;
  Encode encode() const;
  Encode encode(const Augmenting& how) const;
  void go_through();
  void go_through_epochs(bool all);
  std::int32_t most_rows_when_changed();
  std::int32_t longest_entity() const;
  void see(const batch::Encoded<Features>& e, int epoch);
  void take_from_cache();

  Session& session_;
  const Settings& settings_;
  Features features_;
  Labels labels_;
  bool from_files_;
  batch::Encoded<Features> corpus_;
  std::shared_ptr<batch::Cores> cores_ = std::make_shared<batch::Cores>();  // for --loader-workers auto
  std::shared_ptr<IngestStats> met_;
  std::optional<CutMapping> cut_mapping_;  // for a cache
  // for files
  std::vector<std::int32_t> longest_;
  std::vector<std::uint64_t> label_rows_;
  batch::Unread unread_;
};

template <class Trainer> class TrainingData
    : public Sentences<typename Trainer::Features, typename Trainer::Task::Scheme> {
  using Of = Sentences<typename Trainer::Features, typename Trainer::Task::Scheme>;

 public:
  /// throws    entrain.app.35: files that are read again each epoch, in a program that keeps the corpus on the GPU
  [[gnu::cold]] TrainingData(Session& session, const Settings& settings, const typename Trainer::Features& features,
                             const typename Trainer::Labels& labels)
      : Of(session, refuse_where_it_is_held(session, settings), features, labels), output_(settings.output) {}

  std::size_t bytes_on_device() const { return batch::corpus_bytes<typename Trainer::Batches>(Of::corpus()); }

  /// train::fit. place: the position of the loader when the training was stopped, as passed to keep(progress, place);
  /// empty at the beginning.
  template <class OnStep, class Evaluate, class OnEvaluation, class Keep>
  [[gnu::cold]] train::Outcome fit(Trainer& trainer, const train::Options& options, std::uint32_t steps,
                                   OnStep&& on_step, Evaluate&& evaluate, OnEvaluation&& on_evaluation,
                                   train::Progress<typename Trainer::Number> from, const std::string& place,
                                   Keep&& keep) const {
    const auto packed = train::packed_options(trainer, options);
    if constexpr (Trainer::Batches::resident) {
      using Whole = batch::Whole<typename Trainer::Features>;
      using Place = typename batch::Budgeted<Whole>::Cursor;
      trainer.hold(Of::corpus(), options.class_weights);
      batch::Budgeted<Whole> loader(Whole(Of::corpus(), options.seed), packed);
      const Place next = place.empty() ? Place{} : batch::cursor_from<Place>(place, output_);
      return train::fit(trainer, loader, steps, options, on_step, evaluate, on_evaluation, std::move(from), next,
                        [&](const auto& now, const Place& at) { keep(now, batch::cursor_text(at)); });
    } else {
      typename Of::Loader loader(*this, options, packed);
      return train::fit(trainer, loader, steps, options, on_step, evaluate, on_evaluation, std::move(from),
                        loader.from(place, output_),
                        [&](const auto& now, const auto& at) { keep(now, loader.text_of(at)); });
    }
  }

 private:
  static const Settings& refuse_where_it_is_held(const Session& session, const Settings& settings) {
    if constexpr (Trainer::Batches::resident)
      if (session.streams() && settings.cache.empty())
        throw WrongUsage("entrain.app.35", "--stream", "a program that keeps the corpus on the GPU (batch::Resident)",
                         "one that uploads batches", "omit the option, or build the program with batch::Streamed");
    return settings;
  }

  std::string output_;
};

}  // namespace entrain::app

#include "entrain/app/train/training_data.ipp"
#if defined(ENTRAIN_COMPILED)
#include "entrain/app/train/training_data_once.hpp"
#endif
