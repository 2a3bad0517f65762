// tests > cuda_on_cpu > [shim]
//
// Picking by flags as CUB does it.
#pragma once
#include "tests/cuda_on_cpu/shim/cub/device/temporary.hpp"

namespace cub {

struct DeviceSelect {
  template <class Value, class Flag> static cudaError_t Flagged(void* temporary, std::size_t& bytes,
                                                                const Value* values, const Flag* flags, Value* picked,
                                                                int* count, int n, cudaStream_t stream) {
    return harness::with_temporary(temporary, bytes, n, stream, [=] {
      *count = 0;
      for (int i = 0; i < n; ++i)
        if (flags[i]) picked[(*count)++] = values[i];
    });
  }
};

}  // namespace cub
