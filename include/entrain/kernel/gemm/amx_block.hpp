// core > device, precision > tensor > [kernel] > layer
//
// A block of a product with the registers for matrices of Intel AMX.
#pragma once
#include <cstddef>

#include "entrain/core/contract.hpp"
#include "entrain/kernel/gemm/amx_tiles.hpp"
#include "entrain/kernel/gemm/pairs.hpp"

namespace entrain::kernel::detail {

/// c [32, 32] (+)= a b, by four registers of sums and four of operands.
///
/// Registers    Tiles, or their twin
template <class Registers = Tiles> struct AmxBlock {
  Registers tiles;

  /// Meanwhile it fetches the next 32 columns of c, which the next block writes: the results of a product exceed the
  /// second-level cache, and a store to each of 32 rows would wait for the third level. The twelve products of MiniLM
  /// take 1/1.24 to 1/1.41 of the time with it (medians of 9 interleaved passes, two runs, one core of an Emerald
  /// Rapids).
  ///
  /// a        [2, deep, 16, 16] pairs: tiles of the left operand
  /// b        [2, deep, 16, 16] pairs: tiles of the right operand, the second row of them `step` pairs after the first
  /// ahead    pairs of b to fetch into the second-level cache: `step` pairs from here and `step` from there on, or null
  ///
  /// The last argument of PairBlock, the rows of c that are needed, has no use here: registers compute all rows at
  /// once.
  void multiply(const Pair* a, const Pair* b, std::ptrdiff_t step, int deep, float* c, std::ptrdiff_t stride, Write how,
                const Pair* ahead, int) {
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
};

}  // namespace entrain::kernel::detail
