// text > [batch] > embed > encode > head > optim > checkpoint
//
// The input of the GPU for a batch that it makes from a corpus in its memory, and the parts that batches of all
// features have: the places of sentences, neighbours, targets. Read batch/stored.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "entrain/batch/packer.hpp"
#include "entrain/batch/sorted.cuh"
#include "entrain/batch/stored.hpp"
#include "entrain/device/arena.hpp"
#include "entrain/device/each.cuh"

namespace entrain::batch {

/// The data that a micro-batch sends. A Place for each sentence follows: its number in the corpus, and where it begins
/// in the batch.
struct Order {
  Place sizes;                              // of the batch, before padding
  std::int32_t distinct = 0, look_ups = 0;  // words, and their rows in each table, where features hash words
  WordDropout unknown;

  ENTRAIN_HD const Place* places() const { return reinterpret_cast<const Place*>(this + 1); }
};

namespace detail {

/// The sentence of a row or window: the last that begins at it or before.
template <std::int32_t Place::*Part> __device__ inline int sentence_of(const Order& order, int at) {
  const Place* const places = order.places();
  int low = 0, high = order.sizes.sentence;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    const bool before = places[middle].*Part <= at;
    low = before ? middle : low;
    high = before ? high : middle;
  }
  return low;
}

/// Of each row of a batch: its sentence, neighbours and target.
struct MakeRows {
  const Order* order;
  const Place* corpus;
  const std::int32_t* targets;
  std::int32_t* to_targets;
  std::uint8_t* to_neighbours;  // and to_sentence: none where rows are pieces of words
  std::int32_t* to_sentence;
  __device__ void operator()(int row, int) const {
    const Place& sizes = order->sizes;
    std::int32_t target = -100, sentence = sizes.sentence + row - sizes.word;
    unsigned bits = 0;
    if (row < sizes.word) {
      sentence = sentence_of<&Place::word>(*order, row);
      const Place& to = order->places()[sentence];
      const Place* const from = corpus + to.sentence;
      const int i = row - to.word, n = from[1].word - from->word;
      target = targets[from->word + i];
      for (int k = 1; k <= 3; ++k) bits |= (i >= k ? 1u << k : 0u) | (i + k < n ? 1u << (4 + k) : 0u);
    }
    to_targets[row] = target;
    if (to_sentence == nullptr) return;
    to_sentence[row] = sentence;
    to_neighbours[row] = static_cast<std::uint8_t>(bits);
  }
};

/// Where each sentence begins.
struct MakeSentences {
  const Order* order;
  int rows;  // after padding
  std::int32_t* cu_seqlens;
  __device__ void operator()(int k, int) const {
    const Place& sizes = order->sizes;
    const int behind = sizes.word + k - sizes.sentence;
    cu_seqlens[k] = k < sizes.sentence ? order->places()[k].word : behind < rows ? behind : rows;
  }
};

/// An array of the corpus to the device.
template <class D, class T> const T* put(const D& dev, Arena& arena, const std::vector<T>& from) {
  T* const to = arena.take<T>(from.size());
  dev.upload(to, from.data(), from.size());
  return to;
}

}  // namespace detail

/// A batch made on the GPU, but for what its features alone know. The batch's arrays are there, filled up.
class RowMaker {
 public:
  template <class D, class Features> void hold(const D& dev, Arena& arena, const Stored<Features>& corpus) {
    places_ = detail::put(dev, arena, corpus.places);
    targets_ = detail::put(dev, arena, corpus.targets);
  }
  template <class Features> void operator()(cudaStream_t stream, const Batch<Features>& to, const Order* order) const {
    const Geometry& g = to.geometry;
    device::each<1, 1>(stream, to.shape.rows,
                       detail::MakeRows{order, places_, targets_, detail::mine(to.targets), detail::mine(g.neighbours),
                                        detail::mine(g.sentence)});
    device::each<1, 1>(stream, to.shape.sentences + 1,
                       detail::MakeSentences{order, to.shape.rows, detail::mine(g.cu_seqlens)});
  }
  const Place* places() const { return places_; }

 private:
  const Place* places_ = nullptr;
  const std::int32_t* targets_ = nullptr;
};

/// The part of a batch that belongs to its features, made on the GPU: made_pieces.cuh.
template <class Features> class Maker;

}  // namespace entrain::batch
