// text > [batch] > embed > encode > head > optim > checkpoint
//
// The stage between a source whose order is final, as a Sampler's, and Packed: each block becomes the next buffer, and
// nothing is copied. Read shuffle_buffer.hpp first.
#pragma once
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/pack/shuffle_buffer.hpp"
#include "entrain/batch/pipeline/returned.hpp"
#include "entrain/batch/pipeline/stage.hpp"

namespace entrain::batch {

/// S: a stage that gives one EncodedBlock at a time. A batch has samples of one block: blocks as large as a batch make
/// batches of their samples.
template <class S> class InOrder {
  using From = Pulled<S>;
  using Block = typename From::Item;

 public:
  using Features = typename ArgumentOf<EncodedBlock, Block>::type;
  static_assert(ItemsMeet<Block, EncodedBlock<Features>>::value);
  using Item = ShuffleBuffer<Features>;
  using Cursor = typename From::Cursor;

  explicit InOrder(S from) : from_(std::move(from)) {}

  void start(std::uint32_t epoch, const Cursor& at) { from_.start(epoch, at); }
  Cursor cursor() { return from_.cursor(); }
  bool next(Item& buffer, Lane* lane = nullptr) {
    if (!next_from(from_, block_, lane)) return false;
    const auto sentences = buffers_.take();
    std::swap(*sentences, block_.sentences);
    buffer.order.resize(sentences->sentences());
    std::iota(buffer.order.begin(), buffer.order.end(), 0u);
    buffer.sentences = sentences;
    return true;
  }

 private:
  From from_;
  Block block_;
  Returned<Encoded<Features>> buffers_;
};

}  // namespace entrain::batch
