// text > [batch] > embed > encode > head > optim > checkpoint
//
// Brings a packed batch to where the device reads it. On a CPU that is where it was packed. For other devices, its
// arrays are padded to bucket sizes, placed one after another, and sent in one piece with the step's counters.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "entrain/batch/transfer/filled.hpp"
#include "entrain/device/ring.hpp"

namespace entrain::batch {

/// A batch and the counters of its micro-batch, as the device reads them.
template <class Features> struct UploadedBatch {
  Batch<Features> batch;
  const Counters* counters = nullptr;
};

/// upload(dev, batch, counters), and queued(dev) when all work that reads the batch is queued.
template <class D, class Features> class Upload {
 public:
  explicit Upload(int) {}
  static constexpr std::size_t pieces = 0;  // of the device's memory
  static constexpr std::size_t most_bytes(int) { return 0; }
  UploadedBatch<Features> operator()(const D&, const Batch<Features>& batch, const Counters& counters) {
    return {batch, &counters};
  }
  void queued(const D&) {}
  static double seconds() { return 0; }
};

template <class D, class Features>
requires(!D::in_host_memory) class Upload<D, Features> {
 public:
  static constexpr std::size_t pieces = device::Ring<D>::pieces;

  /// most: rows of the largest batch that will come
  explicit Upload(int most) : sizes_{most}, ring_(most_bytes(most)) {}
  /// The most bytes of a batch of `rows` rows, in each of `pieces`.
  static std::size_t most_bytes(int rows) {
    if (rows == 0) return 0;
    Batch<Features> largest = largest_batch<Features>(rows);
    std::size_t bytes = sizeof(Counters);
    each_array(
        largest, [&](auto* array, std::size_t count, Fill) { place(bytes, array, count); }, true);
    return bytes;
  }

  UploadedBatch<Features> operator()(const D& dev, Batch<Features> batch, const Counters& counters) {
    real_.clear();
    each_array(batch, [&](auto&, std::size_t count, Fill) { real_.push_back(count); });
    fill(batch, sizes_);
    std::size_t bytes = sizeof(Counters);
    key_.clear();
    each_array(batch, [&](auto* array, std::size_t count, Fill) {
      place(bytes, array, count);
      key_.push_back(count);
    });
    std::byte* const here = ring_.piece(bytes);
    std::byte* const there = ring_.there();
    key_.push_back(reinterpret_cast<std::size_t>(there));
    std::memcpy(here, &counters, sizeof counters);
    bytes = sizeof(Counters);
    auto real = real_.begin();
    each_array(batch, [&](auto& array, std::size_t count, Fill fill) {
      using T = std::remove_cvref_t<decltype(*array)>;
      const std::size_t at = place(bytes, array, count);
      auto* const to = reinterpret_cast<T*>(here + at);
      if (*real > 0) std::memcpy(to, array, *real * sizeof(T));
      fill(to, *real++, count);
      array = reinterpret_cast<const T*>(there + at);
    });
    ring_.send(dev, bytes);
    return {batch, reinterpret_cast<const Counters*>(there)};
  }
  void queued(const D& dev) { ring_.queued(dev); }
  /// Seconds that transfers of batches took.
  double seconds() { return ring_.seconds(); }

  /// The key of the latest batch: all its sizes, and its address. Batches with the same key are the same work.
  const std::vector<std::size_t>& key() const { return key_; }

 private:
  /// The offset of the next array of a piece.
  template <class T> static std::size_t place(std::size_t& bytes, const T*, std::size_t count) {
    const std::size_t at = (bytes + 15) / 16 * 16;
    bytes = at + count * sizeof(T);
    return at;
  }

  BucketSizes sizes_;
  device::Ring<D> ring_;
  std::vector<std::size_t> real_, key_;
};

}  // namespace entrain::batch
