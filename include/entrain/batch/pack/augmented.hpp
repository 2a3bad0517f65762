// text > [batch] > embed > encode > head > optim > checkpoint
//
// The stage that changes sentences at random before they are encoded, differently in each epoch. Read
// text/augment/augment.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "entrain/batch/pipeline/measured.hpp"
#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/text/augment/augment.hpp"
#include "entrain/text/augment/entity_table.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tags/reading.hpp"
#include "entrain/text/tags/tags_of.hpp"

namespace entrain::batch {

/// For a source that names the scheme of its tags (`using Tags`): tags are read in that scheme, and tags that break it
/// are read as conlleval reads them.
struct AsTheSourceSays {};

/// S: a stage that gives one text::Corpus at a time. A: augmenters, in the order in which they change a sentence.
/// Reading: how tags are read, the same as that of Encode.
///
/// A changed sentence depends only on the seed, the epoch and the sentence. It does not depend on the workers, on how
/// files are cut into blocks, or on where an epoch resumes. This requires that the maker of a corpus keeps the line
/// numbers of its words and puts sentences of one line into one corpus, as all sources of text/ do.
template <class HowToRead, class S, class... A> class AugmentedBy : public text::SameTags<S> {
  using From = InParts<S>;
  static_assert(ItemsMeet<typename From::Item, text::Corpus>::value);
  template <class R, class> struct ReadingOf { using type = R; };
  template <class Source> struct ReadingOf<AsTheSourceSays, Source> {
    using type = text::ReadAs<text::TagsOf<Source>>;
  };

 public:
  using Reading = typename ReadingOf<HowToRead, S>::type;
  using Item = text::Corpus;
  using Cursor = typename From::Cursor;
  struct Raw {
    typename From::Raw from{};
    std::uint32_t epoch = 0;
  };
  static constexpr std::string_view name = "augment";

  AugmentedBy(S from, const text::AugmentOptions& options, A... augmenters)
      : from_(std::move(from)), augment_(options, std::move(augmenters)...) {}
  AugmentedBy(S from, const text::AugmentOptions& options, const Reading& reading, A... augmenters)
      : from_(std::move(from)), augment_(options, reading, std::move(augmenters)...) {}

  void start(std::uint32_t epoch, const Cursor& at) {
    epoch_ = epoch;
    from_.start(epoch, at);
  }
  Cursor cursor() { return from_.cursor(); }
  bool read(Raw& raw, Lane* lane = nullptr) {
    raw.epoch = epoch_;
    return read_from(from_, raw.from, lane);
  }
  auto work() {
    return [inner = from_.work(), augment = augment_](Raw& raw, Item& corpus, Lane* lane = nullptr) mutable {
      work_by<From>(inner, raw.from, corpus, lane);
      const Doing now(lane, activity_of<AugmentedBy>(lane, Activity::map));
      augment(corpus, raw.epoch);
    };
  }

 private:
  From from_;
  text::Augment<Reading, A...> augment_;
  std::uint32_t epoch_ = 0;
};

template <class S, class... A> using Augmented = AugmentedBy<AsTheSourceSays, S, A...>;

/// The entities of all corpora that a source gives in an epoch, for text::EntitySwap. limit: the table keeps the first
/// `limit` entities of each type.
template <class S, class Reading = text::ReadAs<text::TagsOf<S>>>
std::shared_ptr<const text::EntityTable> entities_of(S source, std::size_t limit = 50'000,
                                                     const Reading& reading = {}) {
  auto table = std::make_shared<text::EntityTable>(limit);
  Pulled<S> corpora(std::move(source));
  corpora.start(0, {});
  for (text::Corpus corpus; corpora.next(corpus);) table->add(corpus, reading);
  return table;
}

}  // namespace entrain::batch
