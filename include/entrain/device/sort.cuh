// core > [device], precision > tensor > kernel > layer
//
// Operations of CUB on a whole array: sorting, and picking. The caller provides the temporary storage, allocated once.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include "entrain/device/check.cuh"

namespace entrain::device {

/// Memory that CUB works in.
struct Temporary {
  void* data = nullptr;
  std::size_t bytes = 0;
};

namespace detail {

/// bytes: in, the size of data; out, the size that is needed, if data is null
inline void sort_in(void* data, std::size_t& bytes, cudaStream_t stream, const std::uint32_t* keys,
                    std::uint32_t* sorted, const std::int32_t* values, std::int32_t* moved, int n, int bits) {
  check(cub::DeviceRadixSort::SortPairs(data, bytes, keys, sorted, values, moved, n, 0, bits, stream),
        "cub::DeviceRadixSort::SortPairs");
}
inline void pick_in(void* data, std::size_t& bytes, cudaStream_t stream, const std::int32_t* values,
                    const std::uint8_t* flags, std::int32_t* picked, std::int32_t* count, int n) {
  check(cub::DeviceSelect::Flagged(data, bytes, values, flags, picked, count, n, stream), "cub::DeviceSelect::Flagged");
}

}  // namespace detail

/// Bytes of Temporary that sort and pick need for n numbers.
[[gnu::cold]] inline std::size_t temporary_bytes(int n) {
  std::size_t sorting = 0, picking = 0;
  detail::sort_in(nullptr, sorting, nullptr, nullptr, nullptr, nullptr, nullptr, n, 32);
  detail::pick_in(nullptr, picking, nullptr, nullptr, nullptr, nullptr, nullptr, n);
  return std::max(sorting, picking);
}

/// Keys in ascending order of their lower `bits` bits, and each key's value; equal keys stay in order.
///
/// shapes    all [n]; inputs and outputs do not overlap
inline void sort(cudaStream_t stream, Temporary in, const std::uint32_t* keys, std::uint32_t* sorted,
                 const std::int32_t* values, std::int32_t* moved, int n, int bits) {
  if (n > 0) detail::sort_in(in.data, in.bytes, stream, keys, sorted, values, moved, n, bits);
}

/// The values whose flag is not 0, in order.
///
/// shapes    values, flags [n]; picked: as many as have a flag; count: one number, how many those are
inline void pick(cudaStream_t stream, Temporary in, const std::int32_t* values, const std::uint8_t* flags,
                 std::int32_t* picked, std::int32_t* count, int n) {
  if (n > 0) detail::pick_in(in.data, in.bytes, stream, values, flags, picked, count, n);
}

}  // namespace entrain::device
