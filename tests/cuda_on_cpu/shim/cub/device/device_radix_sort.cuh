// tests > cuda_on_cpu > [shim]
//
// Sorting of pairs as CUB does it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/cuda_on_cpu/shim/cub/device/temporary.hpp"

namespace cub {

struct DeviceRadixSort {
  /// By bits [begin, end) of the keys; pairs whose bits are equal stay in order.
  template <class Value> static cudaError_t SortPairs(void* temporary, std::size_t& bytes, const std::uint32_t* keys,
                                                      std::uint32_t* keys_out, const Value* values, Value* values_out,
                                                      int n, int begin, int end, cudaStream_t stream) {
    return harness::with_temporary(temporary, bytes, n, stream, [=] {
      const auto digits = [&](int i) { return (std::uint64_t{keys[i]} & ((std::uint64_t{1} << end) - 1)) >> begin; };
      std::vector<int> order(static_cast<std::size_t>(n));
      std::iota(order.begin(), order.end(), 0);
      std::sort(order.begin(), order.end(),
                [&](int a, int b) { return std::pair(digits(a), a) < std::pair(digits(b), b); });
      for (int i = 0; i < n; ++i) {  // not in place: what is read later would show it
        const int from = order[static_cast<std::size_t>(i)];
        keys_out[i] = keys[from];
        values_out[i] = values[from];
      }
    });
  }
};

}  // namespace cub
