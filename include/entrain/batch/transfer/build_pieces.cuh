// text > [batch] > embed > encode > head > optim > checkpoint
//
// Words in pieces and sentences in windows, made on the GPU: ranges of the corpus, and both directions of every
// look-up. Read batch/transfer/build_rows.cuh and batch/encode/pieces.hpp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "entrain/batch/encode/sorted.cuh"
#include "entrain/batch/transfer/build_rows.cuh"
#include "entrain/core/error.hpp"

namespace entrain::batch {
namespace detail {

/// Each row of the encoder.
struct MakePieces {
  const Order* order;
  const Place* corpus;
  const std::int32_t *ids, *position, *window, *word_of;
  std::int32_t *to_ids, *to_position, *to_window, *to_word_of;
  std::int32_t* places;  // its own number, or 0
  __device__ void operator()(int row, int) const {
    const Place& sizes = order->sizes;
    if (row >= sizes.row) {
      to_ids[row] = to_position[row] = places[row] = 0;
      to_window[row] = sizes.window + row - sizes.row;
      to_word_of[row] = -1;
      return;
    }
    const Place& to = order->places()[sentence_of<&Place::row>(*order, row)];
    const int from = corpus[to.sentence].row + row - to.row;
    to_ids[row] = ids[from];
    to_position[row] = position[from];
    to_window[row] = to.window + window[from];
    to_word_of[row] = word_of[from] < 0 ? -1 : to.word + word_of[from];
    places[row] = row;
  }
};

/// The encoder's row of each row that has a target.
struct MakeFirst {
  const Order* order;
  const Place* corpus;
  const std::int32_t* first;
  std::int32_t* to_first;
  __device__ void operator()(int row, int) const {
    if (row >= order->sizes.word) {
      to_first[row] = 0;
      return;
    }
    const Place& to = order->places()[sentence_of<&Place::word>(*order, row)];
    to_first[row] = to.row + first[corpus[to.sentence].word + row - to.word];
  }
};

/// Where each window begins.
struct MakeWindows {
  const Order* order;
  const Place* corpus;
  const std::int32_t* starts;
  int rows;  // after padding
  std::int32_t* cu_seqlens;
  __device__ void operator()(int w, int) const {
    const Place& sizes = order->sizes;
    if (w >= sizes.window) {
      const int after = sizes.row + w - sizes.window;
      cu_seqlens[w] = after < rows ? after : rows;  // mutant 1
      return;
    }
    const Place& to = order->places()[sentence_of<&Place::window>(*order, w)];
    cu_seqlens[w] = to.row + starts[corpus[to.sentence].window + w - to.window];
  }
};

/// All real rows refer to one segment: segment 0.
struct MakeTyped {
  const Order* order;
  int count;
  std::int32_t *ids, *starts;
  __device__ void operator()(int i, int) const {
    if (i < count) ids[i] = order->sizes.row > 0 ? 0 : -1;  // mutant 2
    starts[i] = i == 0 ? 0 : order->sizes.row;
  }
};

}  // namespace detail

template <class Features>
requires(!Features::by_words) class BatchBuilder<Features> {
 public:
  BatchBuilder() = default;
  /// most: rows of the encoder; the memory for sorting is in the arena
  BatchBuilder(Arena& arena, int most) : sort_(arena, most, temporary_bytes(most)) {}

  template <class D> void hold(const D& dev, Arena& arena, const CorpusArrays<Features>& corpus) {
    rows_.hold(dev, arena, corpus);
    const std::int32_t** to[] = {&ids_, &position_, &window_, &word_of_, &starts_, &first_};
    auto next = to;
    corpus.each_array([&](const auto& array) { **next++ = detail::put(dev, arena, array); });
  }
  /// throws    entrain.batch.6: word dropout, since an unknown word has other rows in pieces
  static void measure(Order& order, std::span<const Place>) {
    if (order.unknown.rate > 0)
      throw Error("entrain.batch.6", "word_dropout", "a rate above 0",
                  "0, as the rows of a corpus on the GPU are fixed", "set it to 0, or use batch::Streamed");
  }
  /// The sizes of an order's batch, before padding.
  static void size(const Order& order, typename Features::View& words) {
    words.count = order.sizes.row;
    words.windows = order.sizes.window;
  }
  void operator()(cudaStream_t stream, const Batch<Features>& to, const Order* order) const {
    using detail::mine;
    rows_(stream, to, order);
    const auto& v = to.words;
    const Place* const corpus = rows_.places();
    device::each<1, 1>(stream, v.count,
                       detail::MakePieces{order, corpus, ids_, position_, window_, word_of_, mine(v.ids),
                                          mine(v.position), mine(v.window), mine(v.word_of), mine(v.typed.items)});
    device::each<1, 1>(stream, to.shape.rows, detail::MakeFirst{order, corpus, first_, mine(v.first)});
    device::each<1, 1>(stream, v.windows + 1, detail::MakeWindows{order, corpus, starts_, v.count, mine(v.cu_seqlens)});
    device::each<1, 1>(stream, v.typed.count + 1,
                       detail::MakeTyped{order, v.typed.count, mine(v.typed.ids), mine(v.typed.starts)});
    const std::int32_t* const real = &order->sizes.row;  // an address; the host reads nothing there
    sort_(stream, v.ids, real, Features::rows, v.typed.items, v.touched);
    sort_(stream, v.position, real, Features::positions, v.typed.items, v.placed);
  }

 private:
  [[gnu::cold]] static std::size_t temporary_bytes(int most) {
    std::size_t bytes = 0;
    BucketSizes{most}.each([&](int n) { bytes = std::max(bytes, device::temporary_bytes(n)); });
    return bytes;
  }

  RowBuilder<Features> rows_;
  const std::int32_t *ids_ = nullptr, *position_ = nullptr, *window_ = nullptr, *word_of_ = nullptr, *starts_ = nullptr,
                     *first_ = nullptr;
  SorterOnDevice sort_;
};

}  // namespace entrain::batch
