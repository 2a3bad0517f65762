// core > device, precision > tensor > [kernel] > layer
//
// A product in bf16 by blocks of 32 x 32 results. The right operand is rounded and packed once for all workers, and
// each row of blocks packs its rows of the left one, so that a number is rounded once in each product.
#pragma once
#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "entrain/kernel/gemm/block_packing.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/gemm/row_of_blocks.hpp"

namespace entrain::kernel::detail {

/// The three products of a policy, which names Block, shared_bytes and strip_rows: the rows of c, whole rows of blocks,
/// that a worker takes at a time. fp64 is multiplied by tiles.
template <class Policy> struct BlockProduct {
  using Device = device::Cpu<Policy>;

  /// c (+)= round(op(a)) round(op(b)); then `after(block, column)` for each block of c, while the block is in the
  /// first-level cache.
  template <bool TransposeA, bool TransposeB, class T, class F = NoEnd>
  static void run(const Device& dev, Matrix<const T> a, Matrix<const T> b, Matrix<T> c, Write how, F after = {}) {
    const int whole = TransposeA ? a.rows : a.cols;
    if constexpr (!std::is_same_v<T, float>) {
      by_tiles<TransposeA, TransposeB>(dev, a, b, c, how);
    } else if (whole == 0) {  // zeros
      by_tiles<TransposeA, TransposeB>(dev, a, b, c, how);
      after(c, 0);
    } else if (c.rows > 0 && c.cols > 0) {
      const int ranges = (whole + RowOfBlocks::depth - 1) / RowOfBlocks::depth;
      for (int r = 0; r < ranges; ++r, how = Write::add) {
        const int first = cut(whole, tile_depth, r, ranges);
        const int deep = cut(whole, tile_depth, r + 1, ranges) - first;
        const Matrix<const float> left{a.data + first * along(TransposeA, a.stride), c.rows, deep, a.stride};
        const Matrix<const float> right{b.data + first * along(!TransposeB, b.stride), deep, c.cols, b.stride};
        if (r + 1 < ranges) {
          range<TransposeA, TransposeB>(dev, left, right, c, how, NoEnd{});
        } else {
          range<TransposeA, TransposeB>(dev, left, right, c, how, after);
        }
      }
    }
  }

 private:
  static constexpr std::ptrdiff_t along(bool down, int stride) { return down ? stride : 1; }

  /// One range of the sum: packs as many columns of b as are shared at once, then multiplies strips of rows with them.
  template <bool TransposeA, bool TransposeB, class F> static void range(const Device& dev, Matrix<const float> a,
                                                                         Matrix<const float> b, Matrix<float> c,
                                                                         Write how, F after) {
    constexpr SumAxis of_a = TransposeA ? SumAxis::down : SumAxis::along,
                      of_b = TransposeB ? SumAxis::along : SumAxis::down;
    const int deep = (a.cols + tile_depth - 1) / tile_depth;            // tiles along the sum
    const std::ptrdiff_t panel = std::ptrdiff_t(2) * deep * tile_size;  // pairs: 32 columns of b
    const auto most = static_cast<int>(Policy::shared_bytes / (sizeof(Pair) * static_cast<std::size_t>(panel)));
    const int panels = (c.cols + block_rows - 1) / block_rows, parts = (panels + most - 1) / most;
    Pair* const shared = reinterpret_cast<Pair*>(dev.workspace(0));
    for (int p = 0; p < parts; ++p) {
      const int first = panels * p / parts, count = panels * (p + 1) / parts - first;
      const float* const columns = b.data + first * block_rows * along(TransposeB, b.stride);
      if constexpr (TransposeB) {
        dev.parallel(count, [&](int i, int) {
          pack_tiles<of_b, Side::right>(columns + i * block_rows * along(TransposeB, b.stride), b.stride, 2,
                                        c.cols - (first + i) * block_rows, a.cols, shared + i * panel);
        });
      } else {  // whole rows of b
        dev.parallel(deep, [&](int k, int) {
          pack_tiles_at<of_b, Side::right>(k, columns, b.stride, 2 * count, c.cols - first * block_rows, a.cols,
                                           shared);
        });
      }
      dev.parallel((c.rows + Policy::strip_rows - 1) / Policy::strip_rows, [&](int strip, int worker) {
        const int row = strip * Policy::strip_rows, height = std::min(Policy::strip_rows, c.rows - row);
        const int blocks = (height + block_rows - 1) / block_rows;
        const RowOfBlocks first_row(dev.workspace(worker) + Policy::shared_bytes);
        pack_tiles<of_a, Side::left>(a.data + row * along(!TransposeA, a.stride), a.stride, 2 * blocks, height, a.cols,
                                     first_row.left);
        typename Policy::Block block;
        for (int i = 0; i < count; ++i)
          for (int j = 0; j < blocks; ++j) {
            const int column = (first + i) * block_rows, inside = j * block_rows;
            const Matrix<float> to{c.data + static_cast<std::ptrdiff_t>(row + inside) * c.stride + column,
                                   std::min(block_rows, height - inside), std::min(block_rows, c.cols - column),
                                   c.stride};
            first_row.next(j, deep).multiply(block, shared + i * panel, panel / 2, deep, to, how);
            after(to, column);
          }
      });
    }
  }
};

}  // namespace entrain::kernel::detail
