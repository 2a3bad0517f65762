// core > device, precision > tensor > [kernel] > layer
//
// Products for training in bf16 with the registers for matrices of Intel AMX: device::Cpu<kernel::AmxGemm>. Stored
// numbers stay fp32. A product rounds its operands to bf16 while it packs them, and sums in fp32.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "entrain/kernel/gemm/amx_block.hpp"
#include "entrain/kernel/gemm/amx_panels.hpp"  // on which models predict
#include "entrain/kernel/gemm/packed.hpp"

namespace entrain::kernel {
/// c (+)= round(op(a)) round(op(b)) of fp32 operands, sums in fp32; fp64 as PackedGemm.
///
/// source    bf16 in training: Kalamkar et al. 2019, arXiv:1905.12322
struct AmxGemm : PackedGemm {
  static constexpr std::string_view instructions = ENTRAIN_MATRIX_TILES ? "amx" : "";  // that decide the bits
  static constexpr std::string_view rounds =
      ENTRAIN_MATRIX_TILES ? "bf16" : "bf16 (slower than fp32: not compiled for a CPU with AMX)";
  template <class T> static constexpr bool ends_blocks = std::is_same_v<T, float>;
  /// Of the right operand, packed for all workers at once. With 3 MiB, more than the second-level cache of 2 MiB, the
  /// products of BERT-base take 1.12 times as long (medians of 11 interleaved passes, one core of an Emerald Rapids).
  static constexpr std::size_t shared_bytes = std::size_t(3) << 19;

  /// Asks the system for the registers, which a process may not use before.
  ///
  /// throws    entrain.device.9: the CPU has no such registers, or the system does not allow them
  static void prepare() { detail::allow_tiles(); }

  static constexpr std::size_t workspace(std::size_t number) {
    return std::max(PackedGemm::workspace(number), shared_bytes + detail::RowOfBlocks::bytes);
  }
};

template <> struct Gemm<device::Cpu<AmxGemm>> {
  using Device = device::Cpu<AmxGemm>;

  template <bool TransposeA, bool TransposeB, class T, class F = decltype([](Matrix<T>, int) {})>
  static void run(const Device& dev, Matrix<const T> a, Matrix<const T> b, Matrix<T> c, Write how, F after = {}) {
    const int whole = TransposeA ? a.rows : a.cols;
    if constexpr (!std::is_same_v<T, float>) {
      by_tiles<TransposeA, TransposeB>(dev, a, b, c, how);
    } else if (whole == 0) {  // zeros
      by_tiles<TransposeA, TransposeB>(dev, a, b, c, how);
      after(c, 0);
    } else if (c.rows > 0 && c.cols > 0) {
      const int ranges = (whole + detail::RowOfBlocks::depth - 1) / detail::RowOfBlocks::depth;
      for (int r = 0; r < ranges; ++r, how = Write::add) {
        const int first = detail::cut(whole, detail::tile_depth, r, ranges);
        const int deep = detail::cut(whole, detail::tile_depth, r + 1, ranges) - first;
        const Matrix<const float> left{a.data + first * along(TransposeA, a.stride), c.rows, deep, a.stride};
        const Matrix<const float> right{b.data + first * along(!TransposeB, b.stride), deep, c.cols, b.stride};
        if (r + 1 < ranges) {
          range<TransposeA, TransposeB>(dev, left, right, c, how, [](Matrix<T>, int) {});
        } else {
          range<TransposeA, TransposeB>(dev, left, right, c, how, after);
        }
      }
    }
  }

 private:
  static constexpr std::ptrdiff_t along(bool down, int stride) { return down ? stride : 1; }

  /// One range of the sum: packs as many columns of b as are shared at once, then multiplies rows of blocks with them.
  /// A worker takes one row of blocks at a time: with 128 rows of c instead of 32, a step of MiniLM took 1.13 times as
  /// long where another program used one of two cores at times (medians of 11 interleaved slices).
  template <bool TransposeA, bool TransposeB, class F> static void range(const Device& dev, Matrix<const float> a,
                                                                         Matrix<const float> b, Matrix<float> c,
                                                                         Write how, F after) {
    using namespace detail;
    constexpr SumAxis of_a = TransposeA ? SumAxis::down : SumAxis::along,
                      of_b = TransposeB ? SumAxis::along : SumAxis::down;
    const int deep = (a.cols + tile_depth - 1) / tile_depth;            // registers along the sum
    const std::ptrdiff_t panel = std::ptrdiff_t(2) * deep * tile_size;  // pairs: 32 columns of b
    const auto most = static_cast<int>(AmxGemm::shared_bytes / (sizeof(Pair) * static_cast<std::size_t>(panel)));
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
      dev.parallel((c.rows + block_rows - 1) / block_rows, [&](int block, int worker) {
        const int row = block * block_rows, height = std::min(block_rows, c.rows - row);
        const RowOfBlocks blocks(dev.workspace(worker) + AmxGemm::shared_bytes);
        pack_tiles<of_a, Side::left>(a.data + row * along(!TransposeA, a.stride), a.stride, 2, height, a.cols,
                                     blocks.left);
        Tiles tiles;
        for (int i = 0; i < count; ++i) {
          const int column = (first + i) * block_rows;
          const Matrix<float> to{c.data + static_cast<std::ptrdiff_t>(row) * c.stride + column, height,
                                 std::min(block_rows, c.cols - column), c.stride};
          blocks.multiply(tiles, shared + i * panel, panel / 2, deep, to, how);
          after(to, column);
        }
      });
    }
  }
};

}  // namespace entrain::kernel
