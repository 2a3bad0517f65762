// text > [batch] > embed > encode > head > optim > checkpoint
//
// A corpus in the GPU's memory. For a micro-batch the host sends the numbers of its sentences and where each begins.
// The GPU copies ranges of the corpus, and sorts. The host knows all sizes, so neither waits for the other.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/transfer/build_pieces.cuh"
#include "entrain/batch/transfer/build_words.cuh"
#include "entrain/batch/transfer/filled.hpp"
#include "entrain/batch/transfer/resident.hpp"
#include "entrain/batch/transfer/upload.hpp"
#include "entrain/core/error.hpp"
#include "entrain/device/cuda.cuh"
#include "entrain/device/ring.hpp"

namespace entrain::batch {

/// hold(dev, corpus), once; then for each micro-batch order(sentences), send(dev, ...), make(dev, sent), and
/// queued(dev) when all work that reads the batch is queued. There is one batch at a time.
template <class Target, class Features> class DeviceCorpus<device::Cuda<Target>, Features> {
  using D = device::Cuda<Target>;
  static_assert(!whole_texts<Features>,
                "entrain: batch::Resident does not make batches for model::Classifier on a pretrained encoder; use "
                "batch::Streamed.");

 public:
  static constexpr std::size_t pieces = device::Ring<D>::pieces;
  /// The largest bytes of the order of a batch of `rows` rows, in each of `pieces`.
  static constexpr std::size_t order_bytes(int rows) {
    return rows == 0 ? 0 : bytes_of_places(static_cast<std::size_t>(rows));
  }
  /// The bytes of the batch itself, and of the memory in which it is made.
  [[gnu::cold]] static std::size_t batch_bytes(int rows) {
    Arena measured;
    if (rows == 0) return 0;
    BatchBuilder<Features>(measured, rows);
    auto largest = largest_batch<Features>(rows);
    place(largest, measured);
    return measured.peak;
  }

  /// most: rows of the largest batch that will come
  [[gnu::cold]] explicit DeviceCorpus(int most)
      : most_{most}, ring_(order_bytes(most)), memory_(batch_bytes(most)), arena_{memory_.data(), memory_.size()} {
    if (most > 0) builder_ = BatchBuilder<Features>(arena_, most);
    begin_ = arena_.used;
    order_.reserve(static_cast<std::size_t>(most));
  }

  /// Sets the corpus of the following sentences. All its memory is allocated here.
  ///
  /// throws    entrain.batch.3: the GPU has not enough memory for it
  [[gnu::cold]] void hold(const D& dev, const Encoded<Features>& encoded, std::span<const float> class_weights) {
    CorpusArrays<Features> stored(encoded, class_weights);
    corpus_ = {};
    weight_.clear();  // no sentence is held until all are
    const std::size_t bytes = bytes_of(stored), free = dev.memory().free;
    if ((bytes + D::page_bytes - 1) / D::page_bytes * D::page_bytes > free)
      throw Error("entrain.batch.3", "corpus", std::to_string(bytes) + " bytes, encoded",
                  "at most " + std::to_string(free) + ", the bytes of free GPU memory",
                  "use batch::Streamed, or a smaller --token-budget");
    corpus_ = typename D::template Buffer<std::byte>(bytes);
    Arena arena{corpus_.data(), bytes};
    builder_.hold(dev, arena, stored);
    places_ = std::move(stored.places);
    weight_ = std::move(stored.weight);
    ++times_held_;
  }

  /// Bytes of the corpus on the device.
  std::size_t bytes() const { return corpus_.size(); }

  /// The next batch's sentences, in their order.
  ///
  /// throws    entrain.batch.4: a sentence that is not held; .5: more rows than were planned
  ///           .6: word dropout for words in pieces
  Ordered order(std::span<const std::uint32_t> sentences, const WordDropout& unknown) {
    sizes_of_ = Order();
    sizes_of_.unknown = unknown;
    order_.clear();
    Place& end = sizes_of_.sizes;
    Ordered ordered;
    for (const std::uint32_t s : sentences) {
      if (s >= weight_.size()) refuse_sentence(s);
      order_.push_back({static_cast<std::int32_t>(s), end.word, end.row, end.window});
      const Place &from = places_[s], &after = places_[s + 1];
      ++end.sentence;
      end.word += after.word - from.word;
      end.row += after.row - from.row;
      end.window += after.window - from.window;
      ordered.target_weight += weight_[s];
    }
    if (const int rows = std::max(end.word, end.row); rows > most_.most) refuse_rows(rows);
    ordered.rows = end.word;
    builder_.measure(sizes_of_, order_);
    return ordered;
  }
  /// Sends the order. Returns the batch that make() will write: its padded sizes, and addresses.
  UploadedBatch<Features> send(const D& dev, int labels, const Counters& counters) {
    const Place& sizes = sizes_of_.sizes;
    Batch<Features> batch;
    batch.shape = {sizes.word, sizes.sentence, labels};
    builder_.size(sizes_of_, batch.words);
    fill(batch, most_);
    arena_.used = begin_;
    key_.assign(1, times_held_);
    place(batch, arena_, &key_);

    const std::size_t bytes = bytes_of_places(order_.size());
    std::byte* const here = ring_.piece(bytes);
    std::byte* const there = ring_.there();
    key_.push_back(reinterpret_cast<std::size_t>(there));
    std::memcpy(here, &counters, sizeof counters);
    std::memcpy(here + order_at, &sizes_of_, sizeof sizes_of_);
    if (!order_.empty()) std::memcpy(here + order_at + sizeof(Order), order_.data(), order_.size() * sizeof(Place));
    ring_.send(dev, bytes);
    return {batch, reinterpret_cast<const Counters*>(there)};
  }
  /// Writes a batch that was sent, after the work that is queued.
  void make(const D& dev, const UploadedBatch<Features>& sent) const {
    const auto* const there = reinterpret_cast<const std::byte*>(sent.counters);
    builder_(dev.stream(), sent.batch, reinterpret_cast<const Order*>(there + order_at));
  }
  void queued(const D& dev) { ring_.queued(dev); }
  /// Seconds that transfers of orders took.
  double seconds() { return ring_.seconds(); }
  /// The key of the latest batch: everything that determines the work that makes the batch and learns from it.
  const std::vector<std::size_t>& key() const { return key_; }

 private:
  static constexpr std::size_t order_at = (sizeof(Counters) + 15) / 16 * 16;  // mutant 5
  static constexpr std::size_t bytes_of_places(std::size_t sentences) {
    return order_at + sizeof(Order) + sentences * sizeof(Place);
  }
  /// Addresses for the arrays of a padded batch; their sizes are appended to the key, if there is one.
  static void place(Batch<Features>& batch, Arena& arena, std::vector<std::size_t>* key = nullptr) {
    each_array(
        batch,
        [&](auto& array, std::size_t count, Fill) {
          array = arena.take<std::remove_cvref_t<decltype(*array)>>(count);
          if (key != nullptr) key->push_back(count);
        },
        true);
    if constexpr (labels_every_piece<Features>) batch.geometry.neighbours = nullptr, batch.geometry.sentence = nullptr;
  }
  [[noreturn, gnu::cold]] void refuse_sentence(std::uint32_t s) const {
    throw Error("entrain.batch.4", "batch", "sentence " + std::to_string(s) + ", counted from 0",
                "one of the " + std::to_string(weight_.size()) + " sentences that the GPU holds",
                "pass the corpus to hold() first");
  }
  [[noreturn, gnu::cold]] void refuse_rows(int rows) const {
    throw Error("entrain.batch.5", "batch", std::to_string(rows) + " rows",
                "at most " + std::to_string(most_.most) + ", the rows that memory was allocated for",
                "construct the trainer for the largest batch");
  }

  BucketSizes most_;
  device::Ring<D> ring_;
  typename D::template Buffer<std::byte> memory_, corpus_;
  Arena arena_;  // of memory_: what the maker works in, then, from begin_, a batch
  std::size_t begin_ = 0, times_held_ = 0;
  BatchBuilder<Features> builder_;
  Order sizes_of_;
  std::vector<Place> places_, order_;
  std::vector<double> weight_;
  std::vector<std::size_t> key_;
};

}  // namespace entrain::batch
