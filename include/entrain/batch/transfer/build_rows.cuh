// text > [batch] > embed > encode > head > optim > checkpoint
//
// The input of the GPU for a batch that it makes from a corpus in its memory, and the parts that batches of all
// features have: the places of sentences, neighbours, targets. Read batch/pack/corpus_arrays.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "entrain/batch/encode/sorted.cuh"
#include "entrain/batch/pack/corpus_arrays.hpp"
#include "entrain/batch/pack/packer.hpp"
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

/// For each row of a batch: its sentence, neighbours and, if targets are by rows, its target.
template <class Targets> struct MakeRows {
  using Target = typename Targets::Number;
  const Order* order;
  const Place* corpus;
  const Target* targets;
  Target* to_targets;
  std::uint8_t* to_neighbours;  // and to_sentence: none if rows are pieces of words
  std::int32_t* to_sentence;
  __device__ void operator()(int row, int) const {
    const Place& sizes = order->sizes;
    constexpr Target none = no_target<Target>();
    Target target = none;
    std::int32_t sentence = sizes.sentence + row - sizes.word;
    unsigned bits = 0;
    if (row < sizes.word) {
      sentence = sentence_of<&Place::word>(*order, row);
      const Place& to = order->places()[sentence];
      const Place* const from = corpus + to.sentence;
      const int i = row - to.word, n = from[1].word - from->word;
      if constexpr (Targets::by_rows) target = targets[from->word + i];
      for (int k = 1; k <= 3; ++k) bits |= (i >= k ? 1u << k : 0u) | (i + k < n ? 1u << (4 + k) : 0u);
    }
    if constexpr (Targets::by_rows) to_targets[row] = target;
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
    const int after = sizes.word + k - sizes.sentence;
    cu_seqlens[k] = k < sizes.sentence ? order->places()[k].word : after < rows ? after : rows;  // mutant 3
  }
};

/// For each sentence of a batch its target.
template <class Target> struct MakeTargets {
  const Order* order;
  const Target* targets;
  Target* to;
  __device__ void operator()(int k, int) const {
    constexpr Target none = no_target<Target>();
    to[k] = k < order->sizes.sentence ? targets[order->places()[k].sentence] : none;
  }
};

/// Copies an array of the corpus to the device.
template <class D, class T> const T* put(const D& dev, Arena& arena, const std::vector<T>& from) {
  T* const to = arena.take<T>(from.size());
  dev.upload(to, from.data(), from.size());
  return to;
}

}  // namespace detail

/// A batch made on the GPU, except for the part of its features. The padded batch's arrays exist already.
template <class Features> class RowBuilder {
  using Targets = TargetsOf<Features>;
  using Target = typename Targets::Number;

 public:
  template <class D> void hold(const D& dev, Arena& arena, const CorpusArrays<Features>& corpus) {
    places_ = detail::put(dev, arena, corpus.places);
    targets_ = detail::put(dev, arena, corpus.targets);
  }
  void operator()(cudaStream_t stream, const Batch<Features>& to, const Order* order) const {
    const Geometry& g = to.geometry;
    device::each<1, 1>(stream, to.shape.rows,
                       detail::MakeRows<Targets>{order, places_, targets_, detail::mine(to.targets.data),
                                                 detail::mine(g.neighbours), detail::mine(g.sentence)});
    device::each<1, 1>(stream, to.shape.sentences + 1,
                       detail::MakeSentences{order, to.shape.rows, detail::mine(g.cu_seqlens)});
    if constexpr (!Targets::by_rows)
      device::each<1, 1>(stream, to.shape.sentences,
                         detail::MakeTargets<Target>{order, targets_, detail::mine(to.targets.data)});
  }
  const Place* places() const { return places_; }

 private:
  const Place* places_ = nullptr;
  const Target* targets_ = nullptr;
};

/// The part of a batch that belongs to its features, made on the GPU: build_pieces.cuh.
template <class Features> class BatchBuilder;

}  // namespace entrain::batch
