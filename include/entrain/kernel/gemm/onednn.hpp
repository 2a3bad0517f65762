// core > device, precision > tensor > [kernel] > layer
//
// Products by oneDNN, for device::Cpu<kernel::OneDnnGemm>. Needs libdnnl-dev and -ldnnl. Tiles are those of
// kernel/gemm/cpu.hpp, so the bits are the same for any number of threads; oneDNN's own threading is off inside a tile.
#pragma once
#include <dnnl.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <type_traits>

#include "entrain/kernel/gemm/cpu.hpp"

/// From the OpenMP runtime that libdnnl brings; its header may be missing where another compiler's runtime is
/// installed.
extern "C" void omp_set_num_threads(int);

namespace entrain::kernel {

/// fp32 by oneDNN's sgemm; fp64 by Eigen, because oneDNN has no fp64 product.
struct OneDnnGemm : EigenGemm {
  static constexpr bool assigns = true;
  template <bool TransposeA, bool TransposeB, class T>
  static void tile(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, Write how, std::byte* workspace) {
    if constexpr (std::is_same_v<T, float>) {
      omp_set_num_threads(1);  // of this worker only: the setting belongs to the calling thread
      const int depth = TransposeA ? a.rows : a.cols;
      const dnnl_status_t status =
          dnnl_sgemm(TransposeA ? 'T' : 'N', TransposeB ? 'T' : 'N', c.rows, c.cols, depth, 1.0f, a.data, a.stride,
                     b.data, b.stride, how == Write::add ? 1.0f : 0.0f, c.data, c.stride);
      if (status != dnnl_success) std::abort();  // sizes and strides come from views: a bug of ours, not of the user's
    } else {
      if (how == Write::assign)
        for (int r = 0; r < c.rows; ++r) std::fill_n(c.data + static_cast<std::ptrdiff_t>(r) * c.stride, c.cols, T(0));
      EigenGemm::tile<TransposeA, TransposeB>(a, b, c, how, workspace);
    }
  }
};

}  // namespace entrain::kernel
