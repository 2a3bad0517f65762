// core > device, precision > tensor > [kernel] > layer
//
// The unit in which products in bf16 store their operands.
#pragma once

namespace entrain::kernel::detail {

/// A tile has 16 rows of 64 bytes: 16 x 16 pairs of bf16, or 16 x 16 fp32 sums. One register of Intel AMX holds a tile.
inline constexpr int tile_rows = 16;                          // of sums, and columns
inline constexpr int tile_depth = 32;                         // bf16 numbers in a row of pairs
inline constexpr int tile_size = tile_rows * tile_depth / 2;  // numbers, or pairs, of one tile
inline constexpr int block_rows = 2 * tile_rows;              // of the result that is computed at once, and its columns

/// Whether a weight [outputs, inputs] is packed without zeros at its ends, in either order.
constexpr bool has_whole_blocks(int outputs, int inputs) {
  return outputs > 0 && inputs > 0 && outputs % block_rows == 0 && inputs % block_rows == 0;
}

}  // namespace entrain::kernel::detail
