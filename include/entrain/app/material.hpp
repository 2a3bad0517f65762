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
#include "entrain/train/cache.hpp"
#include "entrain/train/fit.hpp"
#include "entrain/train/resume.hpp"

namespace entrain::app {

template <class Trainer> class Material {
 public:
  using Features = typename Trainer::Features;
  using Labels = typename Trainer::Labels;

  /// Reads what has not been read: a corpus that stays becomes numbers; of one that does not, what a plan must know.
  [[gnu::cold]] Material(Session& session, const Settings& settings, const Features& features, const Labels& labels)
      : session_(session),
        settings_(settings),
        features_(features),
        labels_(labels),
        from_files_(session.streams() && settings.cache.empty()) {
    if (from_files_) {
      if constexpr (Trainer::Batches::resident)
        throw Error("entrain.app.35", "--stream", "a program that keeps the corpus on the GPU (batch::Resident)",
                    "one that is sent batches", "leave the option out, or build the program with batch::Streamed");
      go_through();
    } else if (session.streams()) {
      take_from_cache();
    } else {
      corpus_ = batch::encode<Features>(session.train().corpus, features);
      corpus_.target = session.targets();
      if constexpr (batch::labels_every_piece<Features>) corpus_.in_pieces = batch::tags_in_pieces(labels);
      if (session.training().word_dropout > 0) batch::add_twins(corpus_);
    }
  }

  /// Rows of sentences: of all; where they are not kept, of as many of the longest as a batch has.
  std::span<const std::int32_t> rows() const {
    return from_files_ ? std::span<const std::int32_t>(longest_) : std::span<const std::int32_t>(corpus_.rows);
  }
  /// Of sentences that fill a batch alone, and of words whose last pieces the encoder does not read.
  void warn_of_sizes(int batch_rows) const {
    if (!session_.streams()) return app::warn_of_sizes(session_.train(), corpus_, batch_rows, session_.talk());
    const std::int32_t longest = rows().empty() ? 0 : *std::max_element(rows().begin(), rows().end());
    warn_of_longest(session_.survey().name, longest, from_files_ ? cut_ : corpus_.cut, batch_rows, unit_of<Features>,
                    session_.talk());
  }
  std::size_t bytes_on_device() const { return batch::corpus_bytes<typename Trainer::Batches>(corpus_); }
  std::vector<float> class_weights() const {
    if (!session_.streams()) return session_.class_weights();
    if (from_files_) return session_.class_weights(label_rows_);
    std::vector<std::uint64_t> rows(static_cast<std::size_t>(labels_.count()));
    count_rows(rows, corpus_.target);
    return session_.class_weights(rows);
  }
  std::string identity() const {
    if (!session_.streams()) return train::identity_of(corpus_);
    const std::string& files = session_.survey().identity;
    if (!from_files_) return files + ", cached";
    const Augmenting& a = settings_.augment;
    const auto share = [](const char* name, double x) {
      return x > 0 ? name + checkpoint::exact_text(x) : std::string();
    };
    return files + ", " + std::to_string(settings_.shuffle_buffer) + " sentences shuffled at a time" +
           share(", lower case ", a.lower_case) + share(", entities swapped ", a.entity_swap) +
           share(", words dropped ", a.token_drop);
  }
  /// Optimization steps that `options` make of it: of files, by going through them once an epoch.
  [[gnu::cold]] std::uint32_t total_steps(const train::Options& options) const {
    if (options.max_steps > 0 || !from_files_) return train::total_steps(options, corpus_);
    std::uint32_t steps = 0;
    Batches batches(buffers(), {options.batching(), options.gradient_accumulation_steps});
    typename Batches::Cursor at;
    for (int epoch = 0; epoch < options.epochs; ++epoch) steps += steps_of(batches, epoch, at);
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
      const int packers = from_files_ ? std::min(options.loader_workers, 1) : options.loader_workers;
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
    if (!from_files_) return Buffers(batch::Whole<Features>(corpus_, o.seed));
    batch::Workers<Encode> workers(encode(), {o.loader_workers, 0, o.timeline, cores_});
    return Buffers(FromFiles(batch::Shuffled<batch::Workers<Encode>>(
                                 std::move(workers), {o.seed, settings_.shuffle_buffer, o.word_dropout > 0}),
                             1, o.timeline));
  }

  Encode encode() const {
    return Encode(features_, labels_, session_.source(), {session_.train().scheme, settings_.reading.repair});
  }

  using Batches = batch::Budgeted<Buffers>;
  static std::uint32_t steps_of(Batches& batches, int epoch, typename Batches::Cursor& at, auto&& see) {
    std::uint32_t steps = 0;
    batches.start(static_cast<std::uint32_t>(epoch), at);
    for (batch::Pick<Features> pick; batches.next(pick); ++at.made) {
      steps += pick.last_of_step;
      see(pick);
    }
    return steps;
  }
  static std::uint32_t steps_of(Batches& batches, int epoch, typename Batches::Cursor& at) {
    return steps_of(batches, epoch, at, [](const auto&) {});
  }

  /// Once; where sentences are changed each epoch, as often as training will.
  void go_through() {
    label_rows_.resize(static_cast<std::size_t>(labels_.count()));
    if (settings_.files.train == "-") return;
    const train::Options& o = session_.training();
    Batches batches(buffers(), {o.batching(), o.gradient_accumulation_steps});
    typename Batches::Cursor at;
    const batch::Encoded<Features>* seen = nullptr;
    std::uint32_t steps = 0;
    const auto more = [&](int epoch) {
      return epoch == 0 || (settings_.augment && (o.max_steps > 0 ? steps < o.max_steps : epoch < o.epochs));
    };
    for (int epoch = 0; more(epoch); ++epoch) {
      const std::uint32_t now = steps_of(batches, epoch, at, [&](const batch::Pick<Features>& pick) {
        if (pick.of.get() == seen) return;
        seen = pick.of.get();
        see(*seen, epoch);
      });
      if (now == 0) break;
      steps += now;
      seen = nullptr;
    }
  }
  void see(const batch::Encoded<Features>& e, int epoch) {
    if (epoch == 0) count_rows(label_rows_, e.target), cut_ += e.cut;
    const auto most = static_cast<std::size_t>(std::max(session_.training().batch_size, 1));
    longest_.insert(longest_.end(), e.rows.begin(), e.rows.end());
    const std::size_t kept = std::min(longest_.size(), most);
    std::partial_sort(longest_.begin(), longest_.begin() + static_cast<std::ptrdiff_t>(kept), longest_.end(),
                      std::greater<>());
    longest_.resize(kept);
  }

  void take_from_cache() {
    train::Ingredients of = session_.ingredients();
    of.say("read as", std::string(text::scheme_name(session_.train().scheme)) + ", " + settings_.reading.repair);
    of.say("scheme", Trainer::Scheme::name);
    of.say("types", session_.types());
    const train::CacheOptions options{settings_.cache, cache_stem(settings_.files.train), labels_.count(),
                                      session_.training().word_dropout > 0};
    auto cached = train::cached<Features>(of, options, features_, [&](auto& builder) {
      batch::Workers<Encode> blocks(encode(), {settings_.training.loader_workers, 0, nullptr, cores_});
      train::append_all(blocks, builder);
    });
    if (!cached.fault.empty()) session_.talk().warn(cached.fault + "; it was made anew");
    session_.talk().fact("cache",
                         cached.path + ": " + mebibytes(cached.bytes) + (cached.built ? ", made now" : ", as it was"));
    corpus_ = std::move(cached.sentences);
  }

  Session& session_;
  const Settings& settings_;
  Features features_;
  Labels labels_;
  bool from_files_;                                                         // each epoch
  batch::Encoded<Features> corpus_;                                         // empty of files
  std::shared_ptr<batch::Cores> cores_ = std::make_shared<batch::Cores>();  // for --loader-workers auto
  // of files
  std::vector<std::int32_t> longest_;
  std::vector<std::uint64_t> label_rows_;
  std::size_t cut_ = 0;
};

}  // namespace entrain::app
