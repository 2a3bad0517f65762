// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// What a training of the command line learns from: a corpus in memory, or files that are read anew each epoch, which
// may be of any size. Both are one type, so that the loop behind them is compiled once.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/class_weights.hpp"
#include "entrain/app/session.hpp"
#include "entrain/app/splits.hpp"
#include "entrain/app/text_source.hpp"
#include "entrain/batch/budgeted.hpp"
#include "entrain/batch/cursor_text.hpp"
#include "entrain/batch/encode.hpp"
#include "entrain/batch/one_of.hpp"
#include "entrain/batch/packed.hpp"
#include "entrain/batch/resident.hpp"  // corpus_bytes
#include "entrain/batch/shuffled.hpp"
#include "entrain/batch/workers.hpp"
#include "entrain/text/reading.hpp"
#include "entrain/train/fit.hpp"
#include "entrain/train/resume.hpp"

namespace entrain::app {

template <class Trainer> class Material {
 public:
  using Features = typename Trainer::Features;
  using Labels = typename Trainer::Labels;

  /// Reads what has not been read: a corpus that stays becomes numbers; of one that does not, what a plan must know.
  [[gnu::cold]] Material(Session& session, const Settings& settings, const Features& features, const Labels& labels)
      : session_(session), settings_(settings), features_(features), labels_(labels) {
    if (session.streams()) {
      if constexpr (Trainer::Batches::resident)
        throw Error("entrain.app.35", "--stream", "a program that keeps the corpus on the GPU (batch::Resident)",
                    "one that is sent batches", "leave the option out, or build the program with batch::Streamed");
      go_through();
      return;
    }
    corpus_ = batch::encode<Features>(session.train().corpus, features);
    corpus_.target = session.targets();
    if constexpr (batch::labels_every_piece<Features>) corpus_.in_pieces = batch::tags_in_pieces(labels);
    if (session.training().word_dropout > 0) batch::add_twins(corpus_);
  }

  /// Rows of sentences: of all; where they are not kept, of as many of the longest as a batch has.
  std::span<const std::int32_t> rows() const {
    return session_.streams() ? std::span(longest_) : std::span(corpus_.rows);
  }
  /// Of sentences that fill a batch alone, and of words whose last pieces the encoder does not read.
  void warn_of_sizes(int batch_rows) const {
    if (session_.streams())
      warn_of_longest(session_.survey().name, longest_, cut_, batch_rows, unit_of<Features>, session_.talk());
    else
      app::warn_of_sizes(session_.train(), corpus_, batch_rows, session_.talk());
  }
  std::size_t bytes_on_device() const { return batch::corpus_bytes<typename Trainer::Batches>(corpus_); }
  std::vector<float> class_weights() const {
    return session_.streams() ? session_.class_weights(label_rows_) : session_.class_weights();
  }
  std::string identity() const {
    return session_.streams() ? session_.survey().identity + ", " + std::to_string(settings_.shuffle_buffer) +
                                    " sentences shuffled at a time"
                              : train::identity_of(corpus_);
  }
  /// Optimization steps that `options` make of it: of files, by going through them once an epoch.
  [[gnu::cold]] std::uint32_t total_steps(const train::Options& options) const {
    if (options.max_steps > 0 || !session_.streams()) return train::total_steps(options, corpus_);
    using Batches = batch::Budgeted<Buffers>;
    Batches batches(buffers(), {options.batching(), options.gradient_accumulation_steps});
    typename Batches::Cursor at;
    std::uint32_t steps = 0;
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
      batches.start(static_cast<std::uint32_t>(epoch), at);
      for (batch::Pick<Features> pick; batches.next(pick); ++at.made) steps += pick.last_of_step;
    }
    return steps;
  }

  /// train::fit. place: where the loader of a training that was stopped stood, as keep(progress, place) was told; empty
  /// at the beginning.
  template <class OnStep, class Evaluate, class OnEvaluation, class Keep>
  train::Outcome fit(Trainer& trainer, const train::Options& options, std::uint32_t steps, OnStep&& on_step,
                     Evaluate&& evaluate, OnEvaluation&& on_evaluation, train::Progress<typename Trainer::Number> from,
                     const std::string& place, Keep&& keep) const {
    const auto packed = train::packed_options(trainer, options);
    const auto fit_from = [&](auto loader) {
      using Cursor = typename decltype(loader)::Cursor;
      const Cursor next = place.empty() ? Cursor{} : batch::cursor_from<Cursor>(place, settings_.output);
      return train::fit(trainer, loader, steps, options, on_step, evaluate, on_evaluation, std::move(from), next,
                        [&](const auto& now, const Cursor& at) { keep(now, batch::cursor_text(at)); });
    };
    if constexpr (Trainer::Batches::resident) {
      trainer.hold(corpus_, options.class_weights);
      return fit_from(batch::Budgeted<batch::Whole<Features>>(batch::Whole<Features>(corpus_, options.seed), packed));
    } else {
      const int packers = session_.streams() ? std::min(options.loader_workers, 1) : options.loader_workers;
      return fit_from(batch::Workers<batch::Packed<Buffers>>(batch::Packed<Buffers>(buffers(), packed),
                                                             {packers, 0, options.timeline, cores_}));
    }
  }

 private:
  using Encode = batch::Encode<Features, typename Trainer::Scheme, TextSource, text::ReadBy>;
  using FromFiles = batch::Prefetch<batch::Shuffled<batch::Workers<Encode>>>;
  using Buffers = batch::OneOf<batch::Whole<Features>, FromFiles>;

  /// Of files: one buffer is learned from, the next one is ready, and one is being filled.
  Buffers buffers() const {
    const train::Options& o = session_.training();
    if (!session_.streams()) return Buffers(batch::Whole<Features>(corpus_, o.seed));
    Encode encode(features_, labels_, session_.source(), {session_.train().scheme, settings_.reading.repair});
    batch::Workers<Encode> workers(std::move(encode), {o.loader_workers, 0, o.timeline, cores_});
    return Buffers(FromFiles(batch::Shuffled<batch::Workers<Encode>>(
                                 std::move(workers), {o.seed, settings_.shuffle_buffer, o.word_dropout > 0}),
                             1, o.timeline));
  }

  void go_through() {
    const auto most = static_cast<std::size_t>(std::max(session_.training().batch_size, 1));
    label_rows_.resize(static_cast<std::size_t>(labels_.count()));
    Buffers files = buffers();
    files.start(0, {});
    for (batch::ShuffleBuffer<Features> buffer; files.next(buffer);) {
      const batch::Encoded<Features>& e = *buffer.sentences;
      count_rows(label_rows_, e.target);
      cut_ += e.cut;
      longest_.insert(longest_.end(), e.rows.begin(), e.rows.end());
      const std::size_t kept = std::min(longest_.size(), most);
      std::partial_sort(longest_.begin(), longest_.begin() + static_cast<std::ptrdiff_t>(kept), longest_.end(),
                        std::greater<>());
      longest_.resize(kept);
    }
  }

  Session& session_;
  const Settings& settings_;
  Features features_;
  Labels labels_;
  batch::Encoded<Features> corpus_;                                         // empty of files
  std::shared_ptr<batch::Cores> cores_ = std::make_shared<batch::Cores>();  // for --loader-workers auto
  // of files
  std::vector<std::int32_t> longest_;
  std::vector<std::uint64_t> label_rows_;
  std::size_t cut_ = 0;
};

}  // namespace entrain::app
