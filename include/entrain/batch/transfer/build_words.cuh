// text > [batch] > embed > encode > head > optim > checkpoint
//
// Hashed words made on the GPU: the distinct words in order of first appearance, as the packer counts them, and both
// directions of every look-up. The number of distinct words decides how much is computed; the host counts them. Read
// batch/transfer/build_rows.cuh and batch/encode/hashed_words.hpp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entrain/batch/encode/sorted.cuh"
#include "entrain/batch/transfer/build_rows.cuh"
#include "entrain/tensor/fill.hpp"

namespace entrain::batch {
namespace detail {

/// The last of `count` ascending numbers that is not above x.
__device__ inline int last_not_above(const std::int32_t* numbers, int count, std::int32_t x) {
  int low = 0, high = count;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    const bool before = numbers[middle] <= x;
    low = before ? middle : low;
    high = before ? high : middle;
  }
  return low;
}

/// The word of each row, or its unknown_word_copy.
struct MakeWords {
  const Order* order;
  const Place* corpus;
  const std::int32_t* words;
  std::int32_t unknown_word_copies;
  std::int32_t* to;
  std::int32_t* places;  // its own number, or 0
  __device__ void operator()(int row, int) const {
    const bool there = row < order->sizes.word;
    places[row] = there ? row : 0;
    if (!there) return;
    const Place& begin = order->places()[sentence_of<&Place::word>(*order, row)];
    const WordDropout& unknown = order->unknown;
    const bool drops = unknown_word_copies > 0 && unknown.rate > 0 && unknown.drops(static_cast<std::size_t>(row));
    to[row] = words[corpus[begin.sentence].word + row - begin.word] + (drops ? unknown_word_copies : 0);
  }
};

/// Whether a row is the first with its word.
struct FirstSeen {
  const Order* order;
  const std::uint8_t* heads;   // of the rows sorted by word
  const std::int32_t* sorted;  // those rows
  std::uint8_t* first;
  __device__ void operator()(int i, int) const { first[i < order->sizes.word ? sorted[i] : i] = heads[i]; }
};

/// Each row's word as a number among the distinct ones: the number of words that appear first before it.
struct MakeIndex {
  const Order* order;
  CsrIndex by_word;
  const std::int32_t* first;  // [distinct] the first row of each word
  std::int32_t* index;
  __device__ void operator()(int i, int) const {
    if (i >= order->sizes.word) {
      index[i] = 0;
      return;
    }
    const int segment = last_not_above(by_word.starts, order->distinct, i);
    const std::int32_t seen = by_word.items[by_word.starts[segment]];
    index[by_word.items[i]] = last_not_above(first, order->distinct, seen);
  }
};

/// The table rows of each distinct word.
template <int Keys> struct MakeKeys {
  const Order* order;
  const std::int32_t *words, *first, *vocabulary;
  std::int32_t* keys;
  __device__ void operator()(int word, int k) const {
    const bool there = word < order->distinct;
    const std::int64_t at = there ? static_cast<std::int64_t>(words[first[word]]) * Keys + k : 0;
    keys[static_cast<std::int64_t>(word) * Keys + k] = there ? vocabulary[at] : 0;
  }
};

/// A table's column of the keys.
template <int Keys, int Hashes> struct MakeLookUps {
  const Order* order;
  const std::int32_t* keys;
  int column;
  std::int32_t *rows, *places;  // [words * Hashes]
  __device__ void operator()(int word, int hash) const {
    const int at = word * Hashes + hash;
    rows[at] = keys[static_cast<std::int64_t>(word) * Keys + column + hash];
    places[at] = word < order->distinct ? at : 0;
  }
};

/// Every real distinct word has rows; padding words have none, and also their own numbers.
struct MakeNumbers {
  std::int32_t* ids;
  __device__ void operator()(int i, int) const { ids[i] = i; }
};

}  // namespace detail

template <class Features>
requires(Features::by_words) class BatchBuilder<Features> {
  static constexpr int keys = Features::keys, hashes = Features::hashes;

 public:
  BatchBuilder() = default;
  /// most: rows; the memory for sorting is in the arena
  BatchBuilder(Arena& arena, int most) : sort_(arena, most * hashes, temporary_bytes(most)) {
    const auto n = static_cast<std::size_t>(most);
    words_ = arena.take<std::int32_t>(n);
    places_ = arena.take<std::int32_t>(n);
    sorted_ = arena.take<std::int32_t>(n);
    ids_ = arena.take<std::int32_t>(n);
    starts_ = arena.take<std::int32_t>(n + 1);
    first_ = arena.take<std::int32_t>(n);
    count_ = arena.take<std::int32_t>(1);
    is_first_ = arena.take<std::uint8_t>(n);
    look_ups_ = arena.take<std::int32_t>(n * hashes);
    look_up_places_ = arena.take<std::int32_t>(n * hashes);
  }

  template <class D> [[gnu::cold]] void hold(const D& dev, Arena& arena, const CorpusArrays<Features>& corpus) {
    rows_.hold(dev, arena, corpus);
    corpus_words_ = detail::put(dev, arena, corpus.words);
    vocabulary_ = detail::put(dev, arena, corpus.keys);
    unknown_word_copies_ = corpus.unknown_word_copies;
    on_host_ = corpus.words;
    on_host_places_ = corpus.places;
    seen_.assign(corpus.keys.size() / keys, 0);  // mutant 4
    turn_ = 0;
  }
  /// The distinct words of an order.
  void measure(Order& order, std::span<const Place> sentences) {
    ++turn_;
    for (const Place& s : sentences) {
      const auto k = static_cast<std::size_t>(s.sentence);
      const std::int32_t from = on_host_places_[k].word, end = on_host_places_[k + 1].word;
      for (std::int32_t i = from; i < end; ++i) {
        const bool drops = unknown_word_copies_ > 0 && order.unknown.rate > 0 &&
                           order.unknown.drops(static_cast<std::size_t>(s.word + i - from));
        auto& seen =
            seen_[static_cast<std::size_t>(on_host_[static_cast<std::size_t>(i)] + (drops ? unknown_word_copies_ : 0))];
        order.distinct += seen != turn_;
        seen = turn_;
      }
    }
    order.look_ups = order.distinct * hashes;
  }
  static void size(const Order& order, typename Features::View& words) {
    words.count = order.distinct;
    words.tokens.positions = order.sizes.word;
  }
  void operator()(cudaStream_t stream, const Batch<Features>& to, const Order* order) const {
    using detail::mine;
    rows_(stream, to, order);
    const auto& v = to.words;
    const int rows = to.shape.rows, distinct = v.count;
    const std::int32_t *const real = &order->sizes.word, *const real_look_ups = &order->look_ups;  // addresses
    device::each<1, 1>(stream, rows,
                       detail::MakeWords{order, rows_.places(), corpus_words_, unknown_word_copies_, words_, places_});
    const CsrIndex by_word{ids_, starts_, sorted_, distinct, rows};
    sort_(stream, words_, real, static_cast<std::int32_t>(seen_.size()), places_, by_word);
    device::each<1, 1>(stream, rows, detail::FirstSeen{order, sort_.heads(), sorted_, is_first_});
    device::pick(stream, sort_.temporary(), places_, is_first_, first_, count_, rows);
    device::each<1, 1>(stream, rows, detail::MakeIndex{order, by_word, first_, mine(v.index)});
    device::each<1, keys>(stream, distinct, detail::MakeKeys<keys>{order, words_, first_, vocabulary_, mine(v.keys)});
    sort_(stream, v.index, real, distinct, places_, v.tokens);
    device::each<1, 1>(stream, v.tokens.count, detail::MakeNumbers{mine(v.tokens.ids)});
    for (std::size_t t = 0; t < v.touched.size(); ++t) {
      device::each<1, hashes>(
          stream, distinct,
          detail::MakeLookUps<keys, hashes>{order, v.keys, static_cast<int>(t) * hashes, look_ups_, look_up_places_});
      sort_(stream, look_ups_, real_look_ups, Features::rows[t], look_up_places_, v.touched[t]);
    }
  }

 private:
  [[gnu::cold]] static std::size_t temporary_bytes(int most) {
    std::size_t bytes = 0;
    BucketSizes{most}.each([&](int n) {
      bytes = std::max({bytes, device::temporary_bytes(n), device::temporary_bytes(n * hashes)});
    });
    return bytes;
  }

  RowBuilder<Features> rows_;
  SorterOnDevice sort_;
  const std::int32_t *corpus_words_ = nullptr, *vocabulary_ = nullptr;
  std::int32_t unknown_word_copies_ = 0;
  std::int32_t *words_ = nullptr, *places_ = nullptr;                    // [rows]
  std::int32_t *sorted_ = nullptr, *ids_ = nullptr, *starts_ = nullptr;  // rows by word
  std::int32_t *first_ = nullptr, *count_ = nullptr;                     // first rows of words
  std::uint8_t* is_first_ = nullptr;                                     // [rows]
  std::int32_t *look_ups_ = nullptr, *look_up_places_ = nullptr;         // [distinct words * Hashes]
  std::vector<std::int32_t> on_host_;                                    // the corpus's words
  std::vector<Place> on_host_places_;
  std::vector<std::uint32_t> seen_;  // the latest batch with each word of the vocabulary
  std::uint32_t turn_ = 0;
};

}  // namespace entrain::batch
