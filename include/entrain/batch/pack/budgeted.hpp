// text > [batch] > embed > encode > head > optim > checkpoint
//
// The stage that chooses the sentences of the next batch. Read budget.hpp and shuffle_buffer.hpp first.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "entrain/batch/pack/budget.hpp"
#include "entrain/batch/pack/packer.hpp"  // WordDropout
#include "entrain/batch/pack/shuffle_buffer.hpp"
#include "entrain/batch/pipeline/stage.hpp"

namespace entrain::batch {

struct BudgetedOptions : Batching {
  int gradient_accumulation_steps = 1;
  float word_dropout = 0;  // of sentences that have unknown_word_copies
  std::uint64_t seed = 0;  // of word dropout
};

/// The sentences of a batch, by their numbers.
template <class Features> struct Pick {
  std::shared_ptr<const Encoded<Features>> of;
  std::vector<std::uint32_t> sentences;
  WordDropout unknown;
  bool last_of_step = false;  // the next batch belongs to the next optimization step
  bool last_of_epoch = false;
};

/// S: a stage that gives one ShuffleBuffer at a time. The sentences of a batch come from one buffer; the batches of a
/// step may come from several. The last batch of an epoch is the last of its step. Compounding sizes continue from
/// epoch to epoch.
template <class S> class Budgeted {
  using From = Pulled<S>;
  using Buffer = typename From::Item;

 public:
  using Features = typename ArgumentOf<ShuffleBuffer, Buffer>::type;
  static_assert(ItemsMeet<Buffer, ShuffleBuffer<Features>>::value);
  using Item = Pick<Features>;
  struct Cursor {
    typename From::Cursor buffer{};
    std::uint32_t batch = 0;  // of the buffer
    // These count on from epoch to epoch: the caller that starts an epoch sets them.
    std::uint32_t step = 0, micro_batch = 0;
    std::uint64_t made = 0;  // batches of the training so far
    static void each(auto& c, auto&& f) { f(c.buffer), f(c.batch), f(c.step), f(c.micro_batch), f(c.made); }
  };

  Budgeted(S from, const BudgetedOptions& options) : from_(std::move(from)), options_(options) {}

  void start(std::uint32_t epoch, const Cursor& at) {
    at_ = at;
    from_.start(epoch, at.buffer);
    there_ = false;
    begun_ = false;  // next() waits for the first buffer, so its time is measured there
  }
  Cursor cursor() const { return at_; }
  bool next(Item& item, Lane* lane = nullptr) {
    const Doing now(lane, Activity::pack);
    if (!std::exchange(begun_, true)) find(lane);
    if (!there_) return false;
    const auto batch = batches_[at_.batch++];
    ++at_.made;
    item.of = buffer_.sentences;
    item.sentences.reserve(static_cast<std::size_t>(options_.largest()));  // so that no later batch allocates
    item.sentences.assign(batch.begin(), batch.end());
    item.unknown = {options_.word_dropout, options_.seed, at_.step, at_.micro_batch++};
    if (at_.batch == batches_.size()) find(lane);
    item.last_of_epoch = !there_;
    item.last_of_step =
        item.last_of_epoch || at_.micro_batch == static_cast<std::uint32_t>(options_.gradient_accumulation_steps);
    if (item.last_of_step) at_.micro_batch = 0, ++at_.step;
    return true;
  }

 private:
  /// Finds the buffer of the next batch, if there is one. An epoch may begin in the middle of its first buffer.
  void find(Lane* lane) {
    if (std::exchange(there_, false)) at_.batch = 0;
    do {
      {
        const Doing now(lane, Activity::wait);  // a source with threads may have to wait for its next item
        at_.buffer = from_.cursor();
      }
      if (!next_from(from_, buffer_, lane)) {
        at_.batch = 0;
        return;
      }
      batches_.in_the_order(buffer_.order);
      batches_.plan(options_, buffer_.sentences->rows, at_.made - at_.batch);
    } while (at_.batch >= batches_.size());
    there_ = true;
  }

  From from_;
  BudgetedOptions options_;
  Cursor at_;
  Buffer buffer_;
  Budget batches_;
  bool begun_ = true;   // the first buffer of the epoch was requested
  bool there_ = false;  // a next batch, of buffer_
};

}  // namespace entrain::batch
