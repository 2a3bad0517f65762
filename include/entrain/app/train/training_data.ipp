// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Functions of Sentences (training_data.hpp). They are not inline, so that a program does not compile those of words
// and labels that its build has compiled already.
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/input/splits.hpp"
#include "entrain/app/output/system_with_signals.hpp"
#include "entrain/app/train/class_weights.hpp"
#include "entrain/app/train/pass_progress.hpp"
#include "entrain/app/train/training_data.hpp"
#include "entrain/app/train/unread_places.hpp"
#include "entrain/batch/pack/cursor_text.hpp"
#include "entrain/task/tag_targets.hpp"
#include "entrain/text/files/file_list.hpp"
#include "entrain/text/tags/spans.hpp"       // decode
#include "entrain/text/unicode/unicode.hpp"  // lower
#include "entrain/train/state/cache.hpp"
#include "entrain/train/state/cache_system.hpp"
#include "entrain/train/state/resume.hpp"  // identity_of

namespace entrain::app {

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] Sentences<Features, Scheme>::Loader::Loader(const Sentences& of, const train::Options& o,
                                                          batch::PackedOptions packed)
    : inside_(std::make_unique<Inside>(
          batch::Packed<Buffers>(of.buffers({of.met_}), std::move(packed)),
          batch::WorkersOptions{of.from_files_ ? std::min(o.loader_workers, 1) : o.loader_workers, 0, o.timeline,
                                of.cores_})) {}
template <class Features, text::TagScheme Scheme>
Sentences<Features, Scheme>::Loader::Loader(Loader&&) noexcept = default;
template <class Features, text::TagScheme Scheme> Sentences<Features, Scheme>::Loader::~Loader() = default;

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] void Sentences<Features, Scheme>::Loader::start(std::uint32_t epoch, const Cursor& at) {
  inside_->start(epoch, at);
}

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] typename Sentences<Features, Scheme>::Loader::Cursor Sentences<Features, Scheme>::Loader::cursor() {
  return inside_->cursor();
}

template <class Features, text::TagScheme Scheme>
bool Sentences<Features, Scheme>::Loader::next(Item& item, Lane* lane) {
  return inside_->next(item, lane);
}

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] typename Sentences<Features, Scheme>::Loader::Cursor Sentences<Features, Scheme>::Loader::from(
    const std::string& place, const std::string& where) {
  return place.empty() ? Cursor{} : batch::cursor_from<Cursor>(place, where);
}

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] std::string Sentences<Features, Scheme>::Loader::text_of(const Cursor& at) {
  return batch::cursor_text(at);
}

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] Sentences<Features, Scheme>::Sentences(Session& session, const Settings& settings,
                                                     const Features& features, const Labels& labels)
    : session_(session),
      settings_(settings),
      features_(features),
      labels_(labels),
      from_files_(session.streams() && settings.cache.empty()) {
  if (from_files_) {
    met_ = std::make_shared<IngestStats>(session.survey().name, settings.files.train != "-", settings.reading.strict);
    go_through();
  } else if (session.streams()) {
    take_from_cache();
  } else {
    corpus_ = batch::encode<Features>(session.train().corpus, features);
    task::take_targets<Scheme>(corpus_, session.train().corpus, session.targets());
    if constexpr (batch::labels_every_piece<Features>) corpus_.in_pieces = task::tags_in_pieces(labels);
    if (session.training().word_dropout > 0) batch::add_unknown_word_copies(corpus_);
  }
}

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] std::span<const std::int32_t> Sentences<Features, Scheme>::rows() const {
  return from_files_ ? std::span<const std::int32_t>(longest_) : std::span<const std::int32_t>(corpus_.rows);
}

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] void Sentences<Features, Scheme>::warn_of_sizes(int batch_rows) const {
  if (!session_.streams()) return app::warn_of_sizes(session_.train(), corpus_, batch_rows, session_.console());
  const std::int32_t longest = rows().empty() ? 0 : *std::max_element(rows().begin(), rows().end());
  warn_of_longest(session_.survey().name, longest, from_files_ ? unread_ : corpus_.unread, batch_rows,
                  unit_of<Features>, session_.console());
}

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] std::string Sentences<Features, Scheme>::longest_at() const {
  if (session_.streams()) return session_.survey().name;
  const text::Corpus& c = session_.train().corpus;
  if (corpus_.rows.empty()) return c.name;
  const auto longest = std::max_element(corpus_.rows.begin(), corpus_.rows.end()) - corpus_.rows.begin();
  return c.where(c.sentence[static_cast<std::size_t>(longest)]);
}

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] std::vector<float> Sentences<Features, Scheme>::class_weights() const {
  if (from_files_) return session_.class_weights(label_rows_);
  std::vector<std::uint64_t> rows(static_cast<std::size_t>(labels_.count()));
  count_rows(rows, corpus_.target);
  return session_.class_weights(rows);
}

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] std::string Sentences<Features, Scheme>::identity() const {
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

namespace detail {
template <class Features> std::int64_t words_of(const batch::Pick<Features>& pick) {
  std::int64_t words = 0;
  for (const std::uint32_t s : pick.sentences) words += pick.of->length(s);
  return words;
}

/// The progress of passes before step one, counted in the steps that training will take.
class LookingAhead {
 public:
  /// total     steps; 0: not known, as this pass counts them
  LookingAhead(std::uint32_t total, Console& console) : console_(console) {
    now_.stage = "scanning";
    now_.total = total;
  }
  template <class Features> void see(const batch::Pick<Features>& pick) {
    now_.done += pick.last_of_step;
    now_.items += words_of(pick);
    console_.progress(now_);
  }
  void finish() { console_.finish(now_); }

 private:
  report::Progress now_;
  Console& console_;
};

/// Steps of an epoch; calls see(pick) for each batch.
template <class Batches, class See>
[[gnu::cold]] std::uint32_t steps_of(Batches& batches, int epoch, typename Batches::Cursor& at, See&& see) {
  std::uint32_t steps = 0;
  batches.start(static_cast<std::uint32_t>(epoch), at);
  for (typename Batches::Item pick; batches.next(pick); ++at.made) {
    steps += pick.last_of_step;
    see(pick);
  }
  return steps;
}
}  // namespace detail

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] std::uint32_t Sentences<Features, Scheme>::total_steps(const train::Options& options) const {
  if (options.max_steps > 0 || !from_files_) return train::total_steps(options, corpus_);
  std::uint32_t steps = 0;
  session_.console().fact("steps", "counted in a pass over the files for each of " +
                                       counted(static_cast<std::size_t>(options.epochs), "epoch", "epochs"));
  Batches batches(buffers(), {options.batching(), options.gradient_accumulation_steps});
  typename Batches::Cursor at;
  detail::LookingAhead progress(0, session_.console());
  for (int epoch = 0; epoch < options.epochs; ++epoch)
    steps += detail::steps_of(batches, epoch, at, [&](const auto& pick) { progress.see(pick); });
  progress.finish();
  return steps;
}

/// For files, three buffers exist: training reads one, the next one is ready, and a thread fills the third.
template <class Features, text::TagScheme Scheme>
[[gnu::cold]] typename Sentences<Features, Scheme>::Buffers Sentences<Features, Scheme>::buffers(
    UpdateIngestStats seen) const {
  const train::Options& o = session_.training();
  if (!from_files_) return Buffers(batch::Whole<Features>(corpus_, o.seed));
  batch::Workers<Encode> workers(encode(), {o.loader_workers, 0, o.timeline, cores_});
  return Buffers(FromFiles(batch::Shuffled<Read>(Read(std::move(seen), std::move(workers)),
                                                 {o.seed, settings_.shuffle_buffer, o.word_dropout > 0}),
                           1, o.timeline));
}

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] typename Sentences<Features, Scheme>::Encode Sentences<Features, Scheme>::encode() const {
  return encode(settings_.augment);
}
template <class Features, text::TagScheme Scheme>
[[gnu::cold]] typename Sentences<Features, Scheme>::Encode Sentences<Features, Scheme>::encode(
    const Augmenting& how) const {
  return Encode(features_, {labels_, {session_.train().scheme, settings_.reading.repair}}, session_.source(how));
}

/// Called once. Sentences that are changed each epoch may become longer. One or two more passes find an upper bound;
/// only if the bound is more than a batch holds, all epochs are gone through as training will go through them.
template <class Features, text::TagScheme Scheme> [[gnu::cold]] void Sentences<Features, Scheme>::go_through() {
  label_rows_.resize(static_cast<std::size_t>(labels_.count()));
  if (settings_.files.train == "-") return;
  if (settings_.augment) {
    const train::Options& o = session_.training();
    const std::int32_t most = most_rows_when_changed();
    if (settings_.augment.entity_swap > 0 && (o.batch_size > 0 || settings_.auto_budget || most > o.token_budget)) {
      session_.console().fact(
          "augment",
          "swapped entities may make sentences longer than a batch: all epochs are scanned first, as "
          "the longest sentence determines the memory plan");
      return go_through_epochs(true);
    }
  }
  go_through_epochs(false);
}

/// An upper bound on the rows of a sentence, however it is changed. Also records the rows of the sentences as
/// they are in the files, and in lower case.
template <class Features, text::TagScheme Scheme>
[[gnu::cold]] std::int32_t Sentences<Features, Scheme>::most_rows_when_changed() {
  const std::int32_t entity = longest_entity();
  std::int32_t most = 0;
  const auto pass = [&](const Augmenting& how) {
    PassProgress progress("looking for long sentences", session_.survey().sentences, session_.console());
    batch::Workers<Encode> blocks(encode(how), {session_.training().loader_workers, 0, nullptr, cores_});
    blocks.start(0, {});
    for (batch::EncodedBlock<Features> block; blocks.next(block);) {
      const batch::Encoded<Features>& e = block.sentences;
      see(e, 1);
      progress.see(e.sentences(), e.size());
      for (std::size_t s = 0; s < e.sentences(); ++s) {
        std::int32_t entities = 0;
        if (entity > 0)
          text::decode<Scheme>(std::span(e.target).subspan(e.sentence[s], static_cast<std::size_t>(e.length(s))),
                               [&](const text::Span&) { ++entities; });
        most = std::max(most, e.rows[s] + entities * entity);
      }
    }
    progress.finish();
  };
  pass({});
  if (settings_.augment.lower_case > 0) pass({.lower_case = 1});
  return most;
}

/// Rows of the longest entity that may replace another one, also in lower case; 0: none is replaced.
template <class Features, text::TagScheme Scheme>
[[gnu::cold]] std::int32_t Sentences<Features, Scheme>::longest_entity() const {
  if (settings_.augment.entity_swap <= 0) return 0;
  text::Corpus corpus;
  session_.entities().each([&](const text::EntityTable::Mention& mention) {
    for (const std::string& word : mention) corpus.push(word, 1);
    corpus.end_sentence();
    if (settings_.augment.lower_case <= 0) return;
    for (const std::string& word : mention) corpus.push(text::lower(word), 1);
    corpus.end_sentence();
  });
  return batch::encode<Features>(corpus, features_).longest();
}

/// Records the rows of the sentences of the first epoch, or of all epochs.
template <class Features, text::TagScheme Scheme>
[[gnu::cold]] void Sentences<Features, Scheme>::go_through_epochs(bool all) {
  const train::Options& o = session_.training();
  Batches batches(buffers(), {o.batching(), o.gradient_accumulation_steps});
  typename Batches::Cursor at;
  const batch::Encoded<Features>* seen = nullptr;
  std::uint32_t steps = 0;
  detail::LookingAhead progress(o.max_steps, session_.console());
  std::optional<PassProgress> first;  // one pass over all files, however many steps training takes
  if (!all) first.emplace("scanning", session_.survey().sentences, session_.console());
  const auto more = [&](int epoch) { return all && (o.max_steps > 0 ? steps < o.max_steps : epoch < o.epochs); };
  for (int epoch = 0; epoch == 0 || more(epoch); ++epoch) {
    const std::uint32_t now = detail::steps_of(batches, epoch, at, [&](const batch::Pick<Features>& pick) {
      if (all)
        progress.see(pick);
      else
        first->see(pick.sentences.size(), static_cast<std::size_t>(detail::words_of(pick)));
      if (pick.of.get() == seen) return;
      seen = pick.of.get();
      see(*seen, epoch);
    });
    if (now == 0) break;
    steps += now;
    seen = nullptr;
  }
  if (all)
    progress.finish();
  else
    first->finish();
}

template <class Features, text::TagScheme Scheme>
[[gnu::cold]] void Sentences<Features, Scheme>::see(const batch::Encoded<Features>& e, int epoch) {
  if (epoch == 0) {
    count_rows(label_rows_, e.target);
    unread_ += e.unread;
  }
  const auto most = static_cast<std::size_t>(std::max(session_.training().batch_size, 1));
  longest_.insert(longest_.end(), e.rows.begin(), e.rows.end());
  const std::size_t kept = std::min(longest_.size(), most);
  std::partial_sort(longest_.begin(), longest_.begin() + static_cast<std::ptrdiff_t>(kept), longest_.end(),
                    std::greater<>());
  longest_.resize(kept);
}

template <class Features, text::TagScheme Scheme> [[gnu::cold]] void Sentences<Features, Scheme>::take_from_cache() {
  train::Ingredients of = session_.ingredients();
  of.say("read as", std::string(text::scheme_name(session_.train().scheme)) + ", " + settings_.reading.repair);
  of.say("scheme", Scheme::name);
  of.say("types", session_.types());
  const train::CacheOptions options{settings_.cache, cache_stem(settings_.files.train), labels_.count(),
                                    session_.training().word_dropout > 0};
  cut_mapping_.emplace(settings_.cache);
  auto cached = train::cached<Features>(
      of, options, features_,
      [&](auto& builder) {
        batch::Workers<Encode> blocks(encode(), {settings_.training.loader_workers, 0, nullptr, cores_});
        PassProgress progress("building the cache", session_.survey().sentences, session_.console());
        train::append_all(blocks, builder, [&](const auto& e) { progress.see(e.sentences(), e.size()); });
        progress.finish();
        builder.about(unread_places(builder.unread(), text::file_list({settings_.files.train})));
      },
      SystemWithSignals<train::CacheSystem>(settings_.signals));
  if (!cached.fault.empty()) session_.console().warn(cached.fault + "; it was rebuilt");
  session_.console().fact("cache",
                          cached.path + ": " + mebibytes(cached.bytes) + (cached.built ? ", built now" : ", reused"));
  corpus_ = std::move(cached.sentences);
  batch::Unread first = unread_from(cached.about, text::file_list({settings_.files.train}));
  corpus_.unread.first_cut = std::move(first.first_cut);
  corpus_.unread.first_pieceless = std::move(first.first_pieceless);
}

}  // namespace entrain::app
