// core > device, precision > tensor > [kernel] > layer
//
// Products for training in bf16 with the registers for matrices of Intel AMX: device::Cpu<kernel::AmxGemm>. Stored
// numbers stay fp32. A product rounds its operands to bf16 while it packs them, and sums in fp32.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "entrain/kernel/gemm/amx_packing.hpp"
#include "entrain/kernel/gemm/packed.hpp"

namespace entrain::kernel {
namespace detail {

inline constexpr int block_rows = 2 * tile_rows;  // of c, and its columns: four registers of sums, four of operands

/// c [32, 32] (+)= a b.  a: two registers' rows, b: two registers' columns, each of `deep` registers along the sum.
template <class Registers>
void tile_block(Registers& tiles, const Pair* a, const Pair* b, int deep, float* c, std::ptrdiff_t stride, Write how) {
  const std::ptrdiff_t other = static_cast<std::ptrdiff_t>(deep) * tile_size;
  if (how == Write::add) {
    tiles.template load<0>(c, stride);
    tiles.template load<1>(c + tile_rows, stride);
    tiles.template load<2>(c + tile_rows * stride, stride);
    tiles.template load<3>(c + tile_rows * stride + tile_rows, stride);
  } else {
    tiles.template zero<0>();
    tiles.template zero<1>();
    tiles.template zero<2>();
    tiles.template zero<3>();
  }
  for (int k = 0; k < deep; ++k, a += tile_size, b += tile_size) {
    tiles.template load<4>(a, tile_rows);
    tiles.template load<6>(b, tile_rows);
    tiles.template multiply<0, 4, 6>();
    tiles.template load<7>(b + other, tile_rows);
    tiles.template multiply<1, 4, 7>();
    tiles.template load<5>(a + other, tile_rows);
    tiles.template multiply<2, 5, 6>();
    tiles.template multiply<3, 5, 7>();
  }
  tiles.template store<0>(c, stride);
  tiles.template store<1>(c + tile_rows, stride);
  tiles.template store<2>(c + tile_rows * stride, stride);
  tiles.template store<3>(c + tile_rows * stride + tile_rows, stride);
}

/// c (+)= the first rows and columns of a block.
inline void copy_block(const float* block, int rows, int columns, float* c, std::ptrdiff_t stride, Write how) {
  using P = Pack<float>;
  for (int y = 0; y < rows; ++y, c += stride, block += block_rows)
    for (int x = 0; x < columns; x += P::size) {
      const int lanes = std::min(P::size, columns - x);
      const P sum = P::load(block + x);
      (how == Write::add ? P::load(c + x, lanes) + sum : sum).store(c + x, lanes);
    }
}

}  // namespace detail

/// c (+)= round(op(a)) round(op(b)) of fp32 operands, sums in fp32; fp64 as PackedGemm.
///
/// source    bf16 in training: Kalamkar et al. 2019, arXiv:1905.12322
struct AmxGemm : PackedGemm {
  static constexpr std::string_view instructions = ENTRAIN_MATRIX_TILES ? "amx" : "";  // that decide the bits
  static constexpr std::string_view rounds =
      ENTRAIN_MATRIX_TILES ? "bf16" : "bf16 (slower than fp32: not compiled for a CPU with AMX)";
  /// What is packed at once: numbers of the sum, and bytes of the right operand, which all workers share.
  static constexpr int depth = 1536;
  static constexpr std::size_t shared_bytes = std::size_t(3) << 20;
  static constexpr std::size_t row_bytes = std::size_t(2) * detail::block_rows * depth;

  /// Asks the system for the registers, which a process may not use before.
  ///
  /// throws    entrain.device.9: the CPU has no such registers, or the system does not allow them
  static void prepare() { detail::allow_tiles(); }

  static constexpr std::size_t workspace(std::size_t number) {
    constexpr std::size_t block = sizeof(float) * detail::block_rows * detail::block_rows;
    return std::max(PackedGemm::workspace(number), shared_bytes + row_bytes + block);
  }
};

template <> struct Gemm<device::Cpu<AmxGemm>> {
  using Device = device::Cpu<AmxGemm>;

  template <bool TransposeA, bool TransposeB, class T>
  static void run(const Device& dev, Matrix<const T> a, Matrix<const T> b, Matrix<T> c, Write how) {
    const int whole = TransposeA ? a.rows : a.cols;
    if constexpr (!std::is_same_v<T, float>) {
      by_tiles<TransposeA, TransposeB>(dev, a, b, c, how);
    } else if (whole == 0) {
      by_tiles<TransposeA, TransposeB>(dev, a, b, c, how);
    } else if (c.rows > 0 && c.cols > 0) {
      const int ranges = (whole + AmxGemm::depth - 1) / AmxGemm::depth;
      for (int r = 0; r < ranges; ++r, how = Write::add) {
        const int first = detail::cut(whole, detail::tile_depth, r, ranges);
        const int deep = detail::cut(whole, detail::tile_depth, r + 1, ranges) - first;
        const Matrix<const float> left{a.data + first * along(TransposeA, a.stride), c.rows, deep, a.stride};
        const Matrix<const float> right{b.data + first * along(!TransposeB, b.stride), deep, c.cols, b.stride};
        range<TransposeA, TransposeB>(dev, left, right, c, how);
      }
    }
  }

 private:
  static constexpr std::ptrdiff_t along(bool down, int stride) { return down ? stride : 1; }

  /// One range of the sum: packs as many columns of b as are shared at once, then multiplies rows of blocks with them.
  /// A worker takes one row of blocks at a time: with 128 rows of c instead of 32, a step of MiniLM took 1.13 times as
  /// long where another program used one of two cores at times (medians of 11 interleaved slices).
  template <bool TransposeA, bool TransposeB>
  static void range(const Device& dev, Matrix<const float> a, Matrix<const float> b, Matrix<float> c, Write how) {
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
          for (int t = 0; t < 2 * count; ++t)
            pack_tile<of_b, Side::right>(
                columns + k * tile_depth * static_cast<std::ptrdiff_t>(b.stride) + t * tile_rows, b.stride,
                std::min(tile_rows, c.cols - first * block_rows - t * tile_rows),
                std::min(tile_depth, a.cols - k * tile_depth),
                shared + (static_cast<std::ptrdiff_t>(t) * deep + k) * tile_size);
        });
      }
      dev.parallel((c.rows + block_rows - 1) / block_rows, [&](int block, int worker) {
        const int row = block * block_rows, height = std::min(block_rows, c.rows - row);
        std::byte* const own = dev.workspace(worker) + AmxGemm::shared_bytes;
        Pair* const left = reinterpret_cast<Pair*>(own);
        float* const edge = reinterpret_cast<float*>(own + AmxGemm::row_bytes);
        pack_tiles<of_a, Side::left>(a.data + row * along(!TransposeA, a.stride), a.stride, 2, height, a.cols, left);
        Tiles tiles;
        for (int i = 0; i < count; ++i) {
          const int column = (first + i) * block_rows, width = std::min(block_rows, c.cols - column);
          float* const to = c.data + static_cast<std::ptrdiff_t>(row) * c.stride + column;
          if (height == block_rows && width == block_rows) {
            tile_block(tiles, left, shared + i * panel, deep, to, c.stride, how);
          } else {
            tile_block(tiles, left, shared + i * panel, deep, edge, block_rows, Write::assign);
            copy_block(edge, height, width, to, c.stride, how);
          }
        }
      });
    }
  }
};

}  // namespace entrain::kernel
