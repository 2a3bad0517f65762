// core > device, precision > tensor > [kernel] > layer
//
// A product in bf16 by blocks of 32 x 32 results. The right operand is rounded and packed once for all workers, or is a
// weight's copy, which the optimizer made; each row of blocks packs its rows of the left one.
#pragma once
#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "entrain/kernel/gemm/block_packing.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/gemm/row_of_blocks.hpp"
#include "entrain/kernel/gemm/weight_copy.hpp"

namespace entrain::kernel::detail {

/// The three products of a policy, which names Block, shared_bytes and strip_rows: the rows of c, whole rows of blocks,
/// that a worker takes at a time. fp64 is multiplied by tiles.
template <class Policy> struct BlockProduct {
  using Device = device::Cpu<Policy>;
  using Copy = WeightCopy;

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

  /// The same, from the copy of a weight if there is one.
  template <bool TransposeA, bool TransposeB, class T, class F = NoEnd>
  static void run(const Device& dev, Matrix<const T> a, WeightMatrix<const T> b, Matrix<T> c, Write how, F after = {}) {
    if constexpr (std::is_same_v<T, float> && !TransposeA) {
      if (b.copy != nullptr && Copy(b.rows / b.factors, b.cols).is_made() && c.rows > 0)
        return with_copy<TransposeB>(dev, a, b, c, how, after);
    }
    run<TransposeA, TransposeB>(dev, a, static_cast<Matrix<const T>>(b), c, how, after);
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
    Pair* const shared = reinterpret_cast<Pair*>(dev.workspace(0));
    parts(c, deep, [&](int first, int count) {
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
      strips<of_a>(dev, a, c, first, count, {shared, panel, panel / 2, false, first}, how, after);
    });
  }

  /// f(first, count) for as many panels of 32 columns of c as are shared at once.
  template <class F> static void parts(Matrix<float> c, int deep, F f) {
    const auto most =
        static_cast<int>(Policy::shared_bytes / (sizeof(Pair) * 2 * tile_size) / static_cast<std::size_t>(deep));
    const int panels = (c.cols + block_rows - 1) / block_rows, parts = (panels + most - 1) / most;  // mutant 222
    for (int p = 0; p < parts; ++p) {
      const int first = panels * p / parts;
      f(first, panels * (p + 1) / parts - first);
    }
  }

  /// Multiplies strips of rows of a with `count` panels of the right operand. Those of a weight's copy are not in the
  /// second-level cache, so the first strip of each worker fetches the next one meanwhile: a step of MiniLM is 1.00 to
  /// 1.02 times as fast with it (medians of 15 slices, one thread and two of a Zen 5).
  template <SumAxis OfA, class F> static void strips(const Device& dev, Matrix<const float> a, Matrix<float> c,
                                                     int first, int count, PackedColumns panels, Write how, F after) {
    const int deep = (a.cols + tile_depth - 1) / tile_depth;
    const int all = (c.rows + Policy::strip_rows - 1) / Policy::strip_rows;  // mutant 221
    dev.parallel(all, [&](int strip, int worker) {
      const int row = strip * Policy::strip_rows, height = std::min(Policy::strip_rows, c.rows - row);
      const int blocks = (height + block_rows - 1) / block_rows;
      const RowOfBlocks first_row(dev.workspace(worker) + Policy::shared_bytes);
      pack_tiles<OfA, Side::left>(a.data + row * along(OfA == SumAxis::along, a.stride), a.stride, 2 * blocks, height,
                                  a.cols, first_row.left);
      typename Policy::Block block;
      for (int p = first; p < first + count; ++p)
        for (int j = 0; j < blocks; ++j) {
          const int column = p * block_rows, inside = j * block_rows;
          const Matrix<float> to{c.data + static_cast<std::ptrdiff_t>(row + inside) * c.stride + column,
                                 std::min(block_rows, height - inside), std::min(block_rows, c.cols - column),
                                 c.stride};
          // mutant 220
          const bool fetches = panels.fetched && j == 0 && dev.begins_share(strip, all) && p + 1 < first + count;
          first_row.next(j, deep).multiply(block, panels[p], panels.step, deep, to, how,
                                           fetches ? panels[p + 1] : nullptr);
          after(to, column);
        }
    });
  }

  /// The same products with the copy of a weight: w [O, I] by its inputs if TransposeB, else by its outputs, one factor
  /// after the other.
  template <bool TransposeB, class F> static void with_copy(const Device& dev, Matrix<const float> a,
                                                            WeightMatrix<const float> w, Matrix<float> c, Write how,
                                                            F after) {
    const Copy copy(w.rows / w.factors, w.cols);
    const int segments = TransposeB ? 1 : w.factors, whole = a.cols / segments;
    const int ranges = (whole + RowOfBlocks::depth - 1) / RowOfBlocks::depth;
    for (int s = 0; s < segments; ++s)
      for (int r = 0; r < ranges; ++r, how = Write::add) {
        const int first = cut(whole, tile_depth, r, ranges), deep = cut(whole, tile_depth, r + 1, ranges) - first;
        const Matrix<const float> left{a.data + s * whole + first, a.rows, deep, a.stride};
        PackedColumns panels = TransposeB ? copy.forward(w.copy) : copy.backward(w.copy, s);
        panels.data += first / tile_depth * tile_size;
        const bool last = s + 1 == segments && r + 1 == ranges;
        parts(c, deep / tile_depth, [&](int from, int count) {
          if (last) {
            strips<SumAxis::along>(dev, left, c, from, count, panels, how, after);
          } else {
            strips<SumAxis::along>(dev, left, c, from, count, panels, how, NoEnd{});
          }
        });
      }
  }
};

}  // namespace entrain::kernel::detail
