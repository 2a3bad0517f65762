// core > device, precision > tensor > [kernel] > layer
//
// A row of blocks of a product: 32 rows of the left operand, packed in a worker's memory.
#pragma once
#include <algorithm>
#include <cstddef>

#include "entrain/core/contract.hpp"
#include "entrain/core/pack.hpp"
#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/kernel/gemm/pairs.hpp"
#include "entrain/kernel/gemm/tiles.hpp"

namespace entrain::kernel::detail {

/// c (+)= the first rows and columns of a block.
inline void copy_block(const float* block, int rows, int columns, float* c, std::ptrdiff_t stride, Write how) {
  using P = Pack<float>;
  for (int y = 0; y < rows; ++y, c += stride, block += block_rows)
    for (int x = 0; x < columns; x += P::size) {  // mutant 218
      const int lanes = std::min(P::size, columns - x);
      const P sum = P::load(block + x);
      (how == Write::add ? P::load(c + x, lanes) + sum : sum).store(c + x, lanes);
    }
}

/// A row of blocks: 32 rows of the left operand, packed, and a block for what exceeds c, both in a worker's memory.
struct RowOfBlocks {
  static constexpr int depth = 1536;  // numbers of the sum that are packed at once
  static constexpr std::size_t edge_bytes = sizeof(float) * block_rows * block_rows;
  /// For as many rows of blocks as have `rows` rows.
  static constexpr std::size_t bytes(int rows = block_rows) {
    return edge_bytes + sizeof(Pair) * static_cast<std::size_t>(rows) * depth / 2;
  }

  float* edge;
  Pair* left;

  explicit RowOfBlocks(std::byte* memory)
      : edge(reinterpret_cast<float*>(memory)), left(reinterpret_cast<Pair*>(memory + edge_bytes)) {}
  /// The i-th row of blocks after this one, if all have `deep` tiles along the sum.
  RowOfBlocks next(int i, int deep) const {
    RowOfBlocks row = *this;
    row.left += static_cast<std::ptrdiff_t>(2 * i) * deep * tile_size;
    return row;
  }

  /// c (+)= left right, for the rows and columns of one block that c has.
  ///
  /// block    AmxBlock or PairBlock, which documents the arguments
  template <class Block> void multiply(Block& block, const Pair* right, std::ptrdiff_t step, int deep, Matrix<float> c,
                                       Write how, const Pair* ahead = nullptr) const {
    if (c.rows == block_rows && c.cols == block_rows)
      return block.multiply(left, right, step, deep, c.data, c.stride, how, ahead, block_rows);
    block.multiply(left, right, step, deep, edge, block_rows, Write::assign, ahead, c.rows);
    copy_block(edge, c.rows, c.cols, c.data, c.stride, how);
  }
};

}  // namespace entrain::kernel::detail
