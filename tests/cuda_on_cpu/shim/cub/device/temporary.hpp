// tests > cuda_on_cpu > [shim]
//
// What all calls of CUB have in common, as the host harness plays them: asked with null they say how many bytes they
// want, and do nothing; else they are queued, take what they are given for poison, and refuse to make do with less.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>
#include <utility>

namespace harness {

/// Bytes grow with n, as CUB's do, by no rule that anybody may count on.
inline cudaError_t with_temporary(void* temporary, std::size_t& bytes, int n, cudaStream_t stream, auto work) {
  const std::size_t wanted = 767 + static_cast<std::size_t>(n) * 8 + static_cast<std::size_t>(n % 7) * 256;
  if (temporary == nullptr) return bytes = wanted, cudaSuccess;
  if (bytes < wanted || n < 0) return cudaErrorInvalidValue;
  queue(stream, [=] {
    Machine::now().milliseconds += 1;
    std::memset(temporary, 0xAB, wanted);
    work();
    std::memset(temporary, 0xAB, wanted);
  });
  return cudaSuccess;
}

}  // namespace harness
