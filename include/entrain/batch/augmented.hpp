// text > [batch] > embed > encode > head > optim > checkpoint
//
// The stage that changes sentences at random before they are encoded, other ones each epoch. Read text/augment.hpp
// first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "entrain/batch/stage.hpp"
#include "entrain/batch/tags_of.hpp"
#include "entrain/text/augment.hpp"
#include "entrain/text/corpus.hpp"
#include "entrain/text/entity_table.hpp"
#include "entrain/text/repair.hpp"

namespace entrain::batch {

/// S: whatever gives a text::Corpus at a time and says the scheme of its tags (`using Tags`). A: augmenters, in the
/// order in which they work on a sentence. What becomes of a sentence hangs on the seed, the epoch and the sentence:
/// not on workers, on how files are cut into blocks, or on where an epoch goes on; for that, who makes a corpus keeps
/// the lines of its words, and puts sentences of the same line into the same one, as all sources of text/ do. Rule:
/// that of Encode.
template <class Rule, class S, class... A> class AugmentedBy {
  using From = InParts<S>;
  static_assert(ItemsMeet<typename From::Item, text::Corpus>::value);

 public:
  using Tags = TagsOf<S>;
  using Item = text::Corpus;
  using Cursor = typename From::Cursor;
  struct Raw {
    typename From::Raw from{};
    std::uint32_t epoch = 0;
  };

  AugmentedBy(S from, const text::AugmentOptions& options, A... augmenters)
      : from_(std::move(from)), augment_(options, std::move(augmenters)...) {}

  void start(std::uint32_t epoch, const Cursor& at) {
    epoch_ = epoch;
    from_.start(epoch, at);
  }
  Cursor cursor() { return from_.cursor(); }
  bool read(Raw& raw) {
    raw.epoch = epoch_;
    return from_.read(raw.from);
  }
  auto work() {
    return [inner = from_.work(), augment = augment_](Raw& raw, Item& corpus) mutable {
      inner(raw.from, corpus);
      augment(corpus, raw.epoch);
    };
  }

 private:
  From from_;
  text::Augment<Tags, Rule, A...> augment_;
  std::uint32_t epoch_ = 0;
};

/// Tags that break their scheme are read as conlleval does.
template <class S, class... A> using Augmented = AugmentedBy<text::repair::Conlleval, S, A...>;

/// The entities of all that a source gives in an epoch, for text::EntitySwap.
template <class Rule = text::repair::Conlleval, class S>
std::shared_ptr<const text::EntityTable> entities_of(S source, std::size_t limit = 50'000) {
  auto table = std::make_shared<text::EntityTable>(limit);
  Pulled<S> corpora(std::move(source));
  corpora.start(0, {});
  for (text::Corpus corpus; corpora.next(corpus);) table->template add<TagsOf<S>, Rule>(corpus);
  return table;
}

}  // namespace entrain::batch
