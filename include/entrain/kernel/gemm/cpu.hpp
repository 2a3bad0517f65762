// core > device, precision > tensor > [kernel] > layer
//
// Products on the processor. A product is cut into output tiles by its shape alone, and each tile is a serial product
// with fixed blocking: same bits for any number of threads.
//
// Eigen's own dispatch is passed by: ordinary Eigen products call malloc, and static-size maps of these shapes compile
// slowly. What is called is the blocked product underneath, once for each scalar and pair of transpositions.
#pragma once
#include "entrain/core/intrinsics.hpp"  // before Eigen includes them

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>

#include "entrain/device/cpu.hpp"
#include "entrain/kernel/gemm/contract.hpp"

namespace entrain::kernel {
namespace detail {

inline constexpr int eigen_depth = 384;   // numbers summed before the result is touched again
inline constexpr int eigen_inner = 192;   // packed rows of the stationary operand, a multiple of the register tile
inline constexpr int eigen_outer = 1024;  // packed columns of the moving operand

/// Eigen's blocking with our sizes and our memory.
template <class T> struct FixedBlocking : Eigen::internal::level3_blocking<T, T> {
  FixedBlocking(int rows, int cols, int depth, std::byte* workspace) {
    this->m_mc = std::min(rows, eigen_inner);
    this->m_nc = std::min(cols, eigen_outer);
    this->m_kc = std::min(depth, eigen_depth);
    this->m_blockA = reinterpret_cast<T*>(workspace);
    this->m_blockB = this->m_blockA + static_cast<std::ptrdiff_t>(eigen_inner) * eigen_depth;
  }
};

}  // namespace detail

/// The default: Eigen's blocked product.
struct EigenGemm {
  static constexpr std::size_t workspace(std::size_t number) {
    return number * (detail::eigen_inner + detail::eigen_outer) * detail::eigen_depth;
  }
  /// Row-major c += op(a) op(b), as the column-major c^T += op(b)^T op(a)^T.
  template <bool TransposeA, bool TransposeB, class T>
  static void tile(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, std::byte* workspace) {
    constexpr int of_b = TransposeB ? Eigen::RowMajor : Eigen::ColMajor;
    constexpr int of_a = TransposeA ? Eigen::RowMajor : Eigen::ColMajor;
    const int depth = TransposeA ? a.rows : a.cols;
    detail::FixedBlocking<T> blocking(c.cols, c.rows, depth, workspace);
    Eigen::internal::general_matrix_matrix_product<Eigen::Index, T, of_b, false, T, of_a, false, Eigen::ColMajor,
                                                   1>::run(c.cols, c.rows, depth, b.data, b.stride, a.data, a.stride,
                                                           c.data, 1, c.stride, T(1), blocking, nullptr);
  }
};

template <class Policy> struct Gemm<device::Cpu<Policy>> {
  template <bool TransposeA, bool TransposeB, class T>
  static void run(const device::Cpu<Policy>& dev, Matrix<const T> a, Matrix<const T> b, Matrix<T> c, Write how) {
    static_assert(device::Cpu<Policy>::workspace_bytes >= EigenGemm::workspace(sizeof(T)),
                  "entrain: the CPU's workspace is too small for packed operands of this scalar.");
    if (c.rows == 0 || c.cols == 0) return;
    // Tiles of rows when there are many, else of columns; their edges depend on the shape only.
    const bool by_rows = c.rows >= c.cols;
    const int length = by_rows ? c.rows : c.cols;
    // An even number of tiles of about 256 rows (48 columns at least): few enough that packing the other operand anew
    // for each costs little.
    const int pairs = (length + 511) / 512;
    const int step = std::max(by_rows ? 72 : 48, ((length + 2 * pairs - 1) / (2 * pairs) + 23) / 24 * 24);
    dev.parallel((length + step - 1) / step, [&](int index, int worker) {
      const int first = index * step, count = std::min(step, length - first);
      Matrix<const T> at = a, bt = b;
      Matrix<T> ct = c;
      if (by_rows) {
        at.data += static_cast<std::ptrdiff_t>(first) * (TransposeA ? 1 : a.stride);
        ct.data += static_cast<std::ptrdiff_t>(first) * c.stride;
        (TransposeA ? at.cols : at.rows) = ct.rows = count;
      } else {
        bt.data += static_cast<std::ptrdiff_t>(first) * (TransposeB ? b.stride : 1);
        ct.data += first;
        (TransposeB ? bt.rows : bt.cols) = ct.cols = count;
      }
      if (how == Write::assign)
        for (int r = 0; r < ct.rows; ++r)
          std::fill_n(ct.data + static_cast<std::ptrdiff_t>(r) * ct.stride, ct.cols, T(0));
      if ((TransposeA ? at.rows : at.cols) > 0)
        Policy::template tile<TransposeA, TransposeB>(at, bt, ct, dev.workspace(worker));
    });
  }
};

}  // namespace entrain::kernel
