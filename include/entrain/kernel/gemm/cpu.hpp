// core > device, precision > tensor > [kernel] > layer
//
// Products on the CPU. A product is divided into output tiles by its shape alone, and each tile is a serial product
// with fixed blocking: same bits for any number of threads.
//
// This bypasses Eigen's own dispatch: ordinary Eigen products call malloc, and static-size maps of these shapes compile
// slowly. It calls the blocked product underneath, once for each scalar and pair of transpositions.
#pragma once
#include "entrain/core/intrinsics.hpp"  // before Eigen includes them

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "entrain/device/cpu.hpp"
#include "entrain/kernel/gemm/contract.hpp"

namespace entrain::kernel {
namespace detail {

inline constexpr int eigen_depth = 384;   // numbers summed before the next access to the result
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

/// The beginning of the i-th of n nearly equal parts of `whole`, in whole units.
constexpr int cut(int whole, int unit, int i, int n) {
  const std::int64_t units = (whole + unit - 1) / unit;  // mutant 141
  return static_cast<int>(std::min<std::int64_t>(units * i / n * unit, whole));
}

}  // namespace detail

/// The default: Eigen's blocked product.
struct EigenGemm {
  static constexpr std::size_t workspace(std::size_t number) {
    return number * (detail::eigen_inner + detail::eigen_outer) * detail::eigen_depth;
  }
  template <class T> static constexpr Extent unit{8, 48};  // rows and columns of the register tile; tiles are multiples
  static constexpr bool assigns = false;                   // c must be zeroed before a product that assigns
  /// Tiles of rows if there are many rows, else of columns. An even number of tiles of about 256 rows (48 columns at
  /// least): few enough that packing the other operand again for each tile costs little.
  template <bool TransposeA, class T> static Extent tile_of(int rows, int cols) {
    const bool by_rows = rows >= cols;
    const int length = by_rows ? rows : cols;
    const int tiles = (length + 511) / 512 * 2;                                  // mutant 142
    const int step = std::max(by_rows ? 72 : 48, (length + tiles - 1) / tiles);  // mutant 143
    return {by_rows ? step : rows, by_rows ? cols : step};
  }
  /// Row-major c += op(a) op(b), as the column-major c^T += op(b)^T op(a)^T.
  template <bool TransposeA, bool TransposeB, class T>
  static void tile(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, Write, std::byte* workspace) {
    constexpr int of_b = TransposeB ? Eigen::RowMajor : Eigen::ColMajor;
    constexpr int of_a = TransposeA ? Eigen::RowMajor : Eigen::ColMajor;
    const int depth = TransposeA ? a.rows : a.cols;
    detail::FixedBlocking<T> blocking(c.cols, c.rows, depth, workspace);
    Eigen::internal::general_matrix_matrix_product<Eigen::Index, T, of_b, false, T, of_a, false, Eigen::ColMajor,
                                                   1>::run(c.cols, c.rows, depth, b.data, b.stride, a.data, a.stride,
                                                           c.data, 1, c.stride, T(1), blocking, nullptr);
  }
};

/// c (+)= op(a) op(b), each tile by the policy.
template <bool TransposeA, bool TransposeB, class Policy, class T>
void by_tiles(const device::Cpu<Policy>& dev, Matrix<const T> a, Matrix<const T> b, Matrix<T> c, Write how) {
  static_assert(device::Cpu<Policy>::workspace_bytes >= Policy::workspace(sizeof(T)),
                "entrain: the CPU's workspace is too small for packed operands of this scalar.");
  if (c.rows == 0 || c.cols == 0) return;
  const Extent most = Policy::template tile_of<TransposeA, T>(c.rows, c.cols);  // depends on the shape only
  const int down = (c.rows + most.rows - 1) / most.rows, across = (c.cols + most.cols - 1) / most.cols;  // mutant 144
  constexpr Extent unit = Policy::template unit<T>;
  dev.parallel(down * across, [&](int index, int worker) {
    const int i = index / across, j = index % across;
    const int row = detail::cut(c.rows, unit.rows, i, down), col = detail::cut(c.cols, unit.cols, j, across);
    Matrix<const T> at = a, bt = b;
    Matrix<T> ct{c.data + static_cast<std::ptrdiff_t>(row) * c.stride + col,
                 detail::cut(c.rows, unit.rows, i + 1, down) - row, detail::cut(c.cols, unit.cols, j + 1, across) - col,
                 c.stride};
    at.data += static_cast<std::ptrdiff_t>(row) * (TransposeA ? 1 : a.stride);
    (TransposeA ? at.cols : at.rows) = ct.rows;
    bt.data += static_cast<std::ptrdiff_t>(col) * (TransposeB ? b.stride : 1);
    (TransposeB ? bt.rows : bt.cols) = ct.cols;
    const bool empty = (TransposeA ? a.rows : a.cols) == 0;
    if (how == Write::assign && (empty || !Policy::assigns))
      for (int r = 0; r < ct.rows; ++r)
        std::fill_n(ct.data + static_cast<std::ptrdiff_t>(r) * ct.stride, ct.cols, T(0));
    if (!empty) Policy::template tile<TransposeA, TransposeB>(at, bt, ct, how, dev.workspace(worker));
  });
}

template <class Policy> struct Gemm<device::Cpu<Policy>> {
  template <bool TransposeA, bool TransposeB, class T>
  static void run(const device::Cpu<Policy>& dev, Matrix<const T> a, Matrix<const T> b, Matrix<T> c, Write how) {
    by_tiles<TransposeA, TransposeB>(dev, a, b, c, how);
  }
};

}  // namespace entrain::kernel
