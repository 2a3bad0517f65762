// core > device, precision > tensor > [kernel] > layer
//
// A block of a product with the matrix registers: 32 x 32 results, and a row of such blocks.
#pragma once
#include <algorithm>
#include <cstddef>

#include "entrain/core/contract.hpp"
#include "entrain/core/pack.hpp"
#include "entrain/kernel/gemm/amx_packing.hpp"
#include "entrain/kernel/gemm/contract.hpp"

namespace entrain::kernel::detail {

inline constexpr int block_rows = 2 * tile_rows;  // of c, and its columns: four registers of sums, four of operands

/// c [32, 32] (+)= a b.  a: two registers' rows, b: two registers' columns, each of `deep` registers along the sum; the
/// second one of b begins `step` pairs after the first one.
///
/// Meanwhile it fetches the next 32 columns of c, which the next block writes: the results of a product exceed the
/// second-level cache, and a store to each of 32 rows would wait for the third level. The twelve products of MiniLM
/// take 1/1.24 to 1/1.41 of the time with it (medians of 9 interleaved passes, two runs, one core of an Emerald
/// Rapids).
///
/// ahead     pairs of b to fetch into the second-level cache: `step` pairs from here and `step` from there on, or null
template <class Registers> void tile_block(Registers& tiles, const Pair* a, const Pair* b, std::ptrdiff_t step,
                                           int deep, float* c, std::ptrdiff_t stride, Write how,
                                           const Pair* ahead = nullptr) {
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
    for (int i = k; i < block_rows; i += deep) {
      __builtin_prefetch(c + i * stride + block_rows, 1);
      __builtin_prefetch(c + i * stride + block_rows + tile_rows, 1);
    }
    if (ahead != nullptr) {
      for (int i = 0; i < tile_size; i += tile_rows) {
        __builtin_prefetch(ahead + i, 0, 2);
        __builtin_prefetch(ahead + step + i, 0, 2);
      }
      ahead += tile_size;
    }
    tiles.template load<4>(a, tile_rows);
    tiles.template load<6>(b, tile_rows);
    tiles.template multiply<0, 4, 6>();
    tiles.template load<7>(b + step, tile_rows);
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

/// A row of blocks: the rows of the left operand, packed in a worker's memory, and a block for what exceeds c.
struct RowOfBlocks {
  static constexpr int depth = 1536;  // numbers of the sum that are packed at once
  static constexpr std::size_t bytes = sizeof(Pair) * block_rows * depth / 2 + sizeof(float) * block_rows * block_rows;

  Pair* left;

  explicit RowOfBlocks(std::byte* memory) : left(reinterpret_cast<Pair*>(memory)) {}

  /// c (+)= left right, for the rows and columns of one block that c has.
  template <class Registers> void multiply(Registers& tiles, const Pair* right, std::ptrdiff_t step, int deep,
                                           Matrix<float> c, Write how, const Pair* ahead = nullptr) const {
    if (c.rows == block_rows && c.cols == block_rows)
      return tile_block(tiles, left, right, step, deep, c.data, c.stride, how, ahead);
    float* const edge = reinterpret_cast<float*>(left + block_rows * depth / 2);
    tile_block(tiles, left, right, step, deep, edge, block_rows, Write::assign, ahead);
    copy_block(edge, c.rows, c.cols, c.data, c.stride, how);
  }
};

}  // namespace entrain::kernel::detail
