// core > [device], precision > tensor > kernel > layer
//
// Passes in which no number depends on another thread. A thread has a few neighbours of a row, as many as 16 bytes hold
// where the row's width allows it.
#pragma once
#include <cstdint>

#include "entrain/device/launch.cuh"
#include "entrain/device/vector_load.cuh"

namespace entrain::device {

inline constexpr int each_threads = 256;

template <int N, int C, class F> __global__ void __launch_bounds__(each_threads) each_few(F f, std::int64_t count) {
  const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * each_threads + threadIdx.x;
  if (at < count) f(static_cast<int>(at / (C / N)), static_cast<int>(at % (C / N)) * N);
}

/// f(row, first channel) for every N neighbours of `rows` rows of C channels, one thread for each.
template <int N, int C, class F> void each(cudaStream_t stream, int rows, const F& f) {
  static_assert(C % N == 0);
  const std::int64_t count = static_cast<std::int64_t>(rows) * (C / N);
  // mutant 6
  launch(stream, {dim3(static_cast<unsigned>((count + each_threads - 1) / each_threads)), dim3(each_threads)},
         each_few<N, C, F>, f, count);
}

}  // namespace entrain::device
