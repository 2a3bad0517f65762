// bench: the limits of memory and products: the runtime's copy, a plain copying kernel, and the big product that the
// shares of other products refer to.
#pragma once
#include "bench/gpu/rooflines.cuh"
#include "entrain/device/vector_load.cuh"

namespace bench {

/// 16 bytes per thread.
struct CopyFew {
  static constexpr int width = 1024;  // numbers in a row
  const float* from;
  float* to;
  __device__ void operator()(int row, int column) const {
    const std::int64_t at = static_cast<std::int64_t>(row) * width + column;
    entrain::device::Few<float, 4>::load(from + at).store(to + at);
  }
};

inline void copies(Rooflines& roof) {
  constexpr std::size_t bytes = Stopwatch::copied;
  constexpr int rows = static_cast<int>(bytes / (CopyFew::width * sizeof(float)));
  const std::string shape = std::to_string(bytes) + " bytes";
  roof.row({"cudaMemcpyAsync", shape, 2.0 * bytes, 0}, [&] { roof.watch().copy(); });
  const CopyFew copy{reinterpret_cast<const float*>(roof.watch().from()), reinterpret_cast<float*>(roof.watch().to())};
  roof.row({"copy kernel", shape, 2.0 * bytes, 0},
           [&] { entrain::device::each<4, CopyFew::width>(roof.dev.stream(), rows, copy); });
  constexpr double side = Rooflines::side;
  roof.row({"big product", by(Rooflines::side, Rooflines::side), 6 * side * side, 2 * side * side * side},
           [&] { roof.product(); });
}

}  // namespace bench
