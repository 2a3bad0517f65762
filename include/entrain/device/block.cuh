// core > [device], precision > tensor > kernel > layer
//
// What the threads of a block compute together: sums, in one fixed order.
#pragma once
#include "entrain/device/launch.cuh"

namespace entrain::device {

/// The shared memory that block_sum works in. The kernel must be launched with sizeof(BlockSum) bytes.
template <int Threads> struct BlockSum { double of[Threads]; };

/// The sum over a block of Threads threads, in thread 0; 0 in the others. It adds pairs at distance Threads / 2, ... 4,
/// 2, 1.
template <int Threads> __device__ inline double block_sum(double mine) {
  static_assert((Threads & (Threads - 1)) == 0,
                "entrain: the number of threads must be a power of two, as the sum adds halves");
  auto& part = shared<BlockSum<Threads>>();
  const int thread = static_cast<int>(threadIdx.x);
  part.of[thread] = mine;
  for (int half = Threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) part.of[thread] += part.of[thread + half];
  }
  return thread == 0 ? part.of[0] : 0;
}

}  // namespace entrain::device
