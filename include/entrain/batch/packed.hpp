// text > [batch] > embed > encode > head > optim > checkpoint
//
// The stage where sentences become batches of so many tokens, each in memory of its own, so that one can be packed
// while another is learned from. Read packer.hpp first.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "entrain/batch/budget.hpp"
#include "entrain/batch/packer.hpp"
#include "entrain/batch/shuffle_buffer.hpp"
#include "entrain/batch/stage.hpp"

namespace entrain::batch {

/// A batch and its memory.
template <class Features> struct Loaded {
  Packer<Features> packer;
  Batch<Features> batch;
  bool last_of_step = false;  // what follows belongs to the next optimization step
};

struct PackedOptions {
  int token_budget = 256;  // rows of a batch, unless a sentence has more
  int labels = 0;          // tags of the label set
  int gradient_accumulation_steps = 1;
  float word_dropout = 0;  // of buffers that have twins
  std::uint64_t seed = 0;  // of word dropout
  std::vector<float> class_weights;
};

/// S: whatever gives a ShuffleBuffer at a time. A batch is of one buffer; a step's batches may be of several, and its
/// last one is the epoch's at the latest.
template <class S> class Packed {
  using From = Pulled<S>;
  using Given = typename From::Item;

 public:
  using Features = typename Given::Features;
  static_assert(ItemsMeet<Given, ShuffleBuffer<Features>>::value);
  using Item = Loaded<Features>;
  struct Cursor {
    typename From::Cursor buffer{};
    std::uint32_t batch = 0;           // of the buffer
    std::uint32_t step = 0, leaf = 0;  // of all epochs; of the step
  };

  Packed(S from, PackedOptions options) : from_(std::move(from)), options_(std::move(options)) {}

  /// The step of at goes on counting from epoch to epoch: who starts one says so.
  void start(std::uint32_t epoch, const Cursor& at) {
    at_ = at;
    from_.start(epoch, at.buffer);
    batches_.in_order(0);
    batches_.plan(0, 1, [](std::uint32_t) { return 0; });
    open_ = false;
    find();
  }
  Cursor cursor() const { return at_; }
  bool next(Item& item) {
    if (!open_) return false;
    const WordDropout unknown{options_.word_dropout, options_.seed, at_.step, at_.leaf};
    item.batch = item.packer.pack_to_learn(*buffer_.sentences, batches_[at_.batch], options_.labels, unknown,
                                           options_.class_weights);
    ++at_.batch;
    ++at_.leaf;
    find();
    item.last_of_step = !open_ || at_.leaf == static_cast<std::uint32_t>(options_.gradient_accumulation_steps);
    if (item.last_of_step) at_.leaf = 0, ++at_.step;
    return true;
  }

 private:
  /// The buffer of the next batch, if there is one.
  void find() {
    while (!open_ || at_.batch == batches_.size()) {
      const bool first = !std::exchange(open_, true);
      typename From::Cursor here = from_.cursor();
      if (!from_.next(buffer_)) {
        open_ = false;
        at_.buffer = std::move(here);
        at_.batch = 0;
        return;
      }
      if (!first) at_.batch = 0;
      at_.buffer = std::move(here);
      batches_.in_the_order(buffer_.order);
      batches_.plan(buffer_.order.size(), options_.token_budget,
                    [&](std::uint32_t s) { return buffer_.sentences->rows[s]; });
    }
  }

  From from_;
  PackedOptions options_;
  Cursor at_;
  Given buffer_;
  Budget batches_;
  bool open_ = false;  // there is a next batch, and it is of buffer_
};

}  // namespace entrain::batch
