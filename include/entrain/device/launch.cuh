// core > [device], precision > tensor > kernel > layer
//
// The one way to start a kernel, and the one way to its shared memory. Kernels written this way run on a GPU and,
// thread by thread, on the host (tests/cuda_on_cpu).
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "entrain/device/check.cuh"
#include "entrain/device/shared.cuh"

namespace entrain::device {

inline constexpr int warp = 32;             // lanes
inline constexpr unsigned all_lanes = ~0u;  // the mask of a whole warp

/// How many blocks and threads a kernel runs with, and how much shared memory a block has.
struct Grid {
  dim3 blocks;
  dim3 threads;
  std::size_t shared = 0;
  std::size_t most_shared = 0;  // of any launch of this kernel, if they differ: lowering the limit affects graphs, too
};

/// kernel<<<grid.blocks, grid.threads, grid.shared, stream>>>(arguments...)
template <class... Parameters, class... Arguments>
void launch(cudaStream_t stream, const Grid& grid, void (*kernel)(Parameters...), Arguments... arguments) {
  if (grid.blocks.x == 0 || grid.blocks.y == 0 || grid.blocks.z == 0) return;  // a batch of no rows
  if (grid.shared > (std::size_t(48) << 10))
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(std::max(grid.shared, grid.most_shared))),
          "cudaFuncSetAttribute");
  cudaLaunchConfig_t config{};
  config.gridDim = grid.blocks;
  config.blockDim = grid.threads;
  config.dynamicSmemBytes = grid.shared;
  config.stream = stream;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...), "cudaLaunchKernelEx");
}

}  // namespace entrain::device
