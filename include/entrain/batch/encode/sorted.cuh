// text > [batch] > embed > encode > head > optim > checkpoint
//
// Positions grouped by the id that they refer to, for ids that the device makes: a stable sort by CUB in place of the
// packer's counting sort. It gives exactly the same CsrIndex. Read batch/encode/sorted.hpp first.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#include "entrain/device/arena.hpp"
#include "entrain/device/each.cuh"
#include "entrain/device/sort.cuh"
#include "entrain/tensor/csr_index.hpp"

namespace entrain::batch {
namespace detail {

/// The sort keys of a padded array: padding comes after all others.
struct SortKeys {
  const std::int32_t* value;
  const std::int32_t* real;  // how many there are
  std::uint32_t after;
  std::uint32_t* key;
  __device__ void operator()(int i, int) const { key[i] = i < *real ? static_cast<std::uint32_t>(value[i]) : after; }
};

/// Whether a segment begins here.
struct SegmentHeads {
  const std::uint32_t* sorted;
  const std::int32_t* real;
  std::uint8_t* head;
  __device__ void operator()(int i, int) const { head[i] = i < *real && (i == 0 || sorted[i - 1] != sorted[i]); }
};

/// The id of each segment; after them the padding of a CsrIndex.
struct SegmentIds {
  const std::uint32_t* sorted;
  const std::int32_t *real, *segments;  // how many there are
  int count;
  std::int32_t *ids, *starts;  // of the segments; their starts are already there
  __device__ void operator()(int i, int) const {
    const bool there = i < *segments;
    if (i < count) ids[i] = there ? static_cast<std::int32_t>(sorted[starts[i]]) : -1;
    if (!there) starts[i] = *real;
  }
};

/// An array of a batch, writable for the code that makes it.
template <class T> T* mine(const T* array) { return const_cast<T*>(array); }

}  // namespace detail

/// Memory for one sort after another; sorting allocates nothing.
class SorterOnDevice {
 public:
  SorterOnDevice() = default;
  /// most: positions; temporary: bytes, the largest device::temporary_bytes of all sorts
  SorterOnDevice(Arena& arena, int most, std::size_t temporary) {
    const auto n = static_cast<std::size_t>(most);
    keys_ = arena.take<std::uint32_t>(n);
    sorted_ = arena.take<std::uint32_t>(n);
    heads_ = arena.take<std::uint8_t>(n);
    segments_ = arena.take<std::int32_t>(1);
    temporary_ = {arena.take<std::byte>(temporary), temporary};
  }

  /// Writes the result of Sorted::sort for the first *real values, padded to the positions and count of `to`.
  ///
  /// value     [to.positions], of which the first *real are in [0, values); the rest is not read. real: on the device
  /// places    [to.positions] 0, 1, ... *real - 1, then 0
  void operator()(cudaStream_t stream, const std::int32_t* value, const std::int32_t* real, std::int32_t values,
                  const std::int32_t* places, const CsrIndex& to) const {
    using detail::mine;
    const int n = to.positions;
    if (n == 0) return;
    const auto after = static_cast<std::uint32_t>(values);
    device::each<1, 1>(stream, n, detail::SortKeys{value, real, after, keys_});
    device::sort(stream, temporary_, keys_, sorted_, places, mine(to.items), n, std::bit_width(after));
    device::each<1, 1>(stream, n, detail::SegmentHeads{sorted_, real, heads_});
    device::pick(stream, temporary_, places, heads_, mine(to.starts), segments_, n);
    device::each<1, 1>(stream, to.count + 1,
                       detail::SegmentIds{sorted_, real, segments_, to.count, mine(to.ids), mine(to.starts)});
  }
  /// Of the latest sort: 1 where a segment begins, [positions].
  const std::uint8_t* heads() const { return heads_; }
  device::Temporary temporary() const { return temporary_; }

 private:
  std::uint32_t *keys_ = nullptr, *sorted_ = nullptr;
  std::uint8_t* heads_ = nullptr;
  std::int32_t* segments_ = nullptr;
  device::Temporary temporary_;
};

}  // namespace entrain::batch
