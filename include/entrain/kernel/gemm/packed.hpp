// core > device, precision > tensor > [kernel] > layer
//
// Products for training with the register tiles of panels.hpp: device::Cpu<kernel::PackedGemm>. Operands change from
// step to step, so each product packs them again, a range at a time that stays in the caches meanwhile. Needs no
// library.
#pragma once
#include <algorithm>
#include <cstddef>

#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/gemm/panels.hpp"

namespace entrain::kernel {

struct PackedGemm {
  static constexpr bool assigns = true;
  template <class T> static constexpr Extent unit{detail::panel_rows, detail::panel<T>};
  /// Size of a tile, in rows and in panels. b is packed again for each strip of rows; yet a usual batch has two strips,
  /// because each worker then finds in its own cache the rows that it wrote.
  static constexpr int most_rows = 640, columns = 2;

  static constexpr std::size_t workspace(std::size_t) {  // a range of a panel
    return static_cast<std::size_t>(detail::panel_depth) * 3 * ENTRAIN_VECTOR_BYTES;
  }
  template <bool TransposeA, class T> static Extent tile_of(int, int) {
    return {most_rows, columns * detail::panel<T>};
  }
  template <bool TransposeA, bool TransposeB, class T>
  static void tile(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, Write how, std::byte* workspace) {
    const int depth = TransposeA ? a.rows : a.cols;
    T* const panel = reinterpret_cast<T*>(workspace);
    for (int k = 0; k < depth; k += detail::panel_depth, how = Write::add) {  // mutant 145
      const int deep = std::min(detail::panel_depth, depth - k);
      const Matrix<const T> at{a.data + (TransposeA ? static_cast<std::ptrdiff_t>(k) * a.stride : k), c.rows, deep,
                               a.stride};
      for (int o = 0; o < c.cols; o += detail::panel<T>) {  // mutant 146
        const int width = std::min(detail::panel<T>, c.cols - o);
        if constexpr (TransposeB) {
          detail::panel_of<T>({b.data + static_cast<std::ptrdiff_t>(o) * b.stride + k, width, deep, b.stride}, panel);
        } else {
          order_right({b.data + static_cast<std::ptrdiff_t>(k) * b.stride + o, deep, width, b.stride}, panel);
        }
        detail::panel_product<TransposeA ? detail::Lies::by_columns : detail::Lies::by_rows>(
            at, static_cast<const T*>(panel), Matrix<T>{c.data + o, c.rows, width, c.stride}, how);
      }
    }
  }

 private:
  /// p[k, :] = b[k, :]
  template <class T> static void order_right(Matrix<const T> b, T* p) {
    using P = Pack<T>;
    for (int k = 0; k < b.rows; ++k, p += b.cols) {
      const T* const from = b.data + static_cast<std::ptrdiff_t>(k) * b.stride;
      if (b.cols == detail::panel<T>) {
        ENTRAIN_UNROLL
        for (int c = 0; c < detail::panel<T>; c += P::size) {
          __builtin_prefetch(from + 8 * static_cast<std::ptrdiff_t>(b.stride) + c);
          P::load(from + c).store(p + c);
        }
      } else {
        std::copy_n(from, b.cols, p);
      }
    }
  }
};

}  // namespace entrain::kernel
