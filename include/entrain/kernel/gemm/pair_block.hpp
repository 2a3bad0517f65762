// core > device, precision > tensor > [kernel] > layer
//
// A block of a product with vector registers: pairs of bf16 in each lane (AVX512_BF16), or their halves one after the
// other on any CPU.
#pragma once
#include <cstddef>

#include "entrain/core/contract.hpp"
#include "entrain/core/pack.hpp"
#include "entrain/kernel/gemm/pairs.hpp"
#include "entrain/kernel/gemm/tiles.hpp"

namespace entrain::kernel::detail {

/// sum + left.even * right.even + left.odd * right.odd, in every lane.
inline Pack<float> multiply_add(Pack<Pair> left, Pack<Pair> right, Pack<float> sum) {
#if ENTRAIN_BF16_PRODUCTS
  return _mm512_dpbf16_ps(sum.v, __builtin_bit_cast(__m512bh, left.v), __builtin_bit_cast(__m512bh, right.v));
#else
  sum += left.odd() * right.odd();
  return sum += left.even() * right.even();
#endif
}

/// c [32, 32] (+)= a b, in parts of `rows` rows and two packs.
///
/// Meanwhile it fetches the next 32 columns of c, which the next block writes: the products of MiniLM and BERT-base
/// take 1/1.00 to 1/1.11 of the time with it (medians of 27 passes, three interleaved runs, one core of a Zen 5).
struct PairBlock {
  /// Rows of a part: its sums are 16 of 32 registers, or 8 of 16.
  static constexpr int rows = ENTRAIN_VECTOR_BYTES == 64 ? 8 : 4;
  static constexpr int columns = 2 * Pack<float>::size;

  /// a        [2, deep, 16, 16] pairs: tiles of the left operand
  /// b        [2, deep, 16, 16] pairs: tiles of the right operand, the second row of them `step` pairs after the first
  /// ahead    pairs of b to fetch into the second-level cache: `step` pairs from here and `step` from there on, or null
  /// lines    rows of c that are needed; parts after them are not computed
  static void multiply(const Pair* a, const Pair* b, std::ptrdiff_t step, int deep, float* c, std::ptrdiff_t stride,
                       Write how, const Pair* ahead, int lines) {
    const int parts = (lines + rows - 1) / rows;
    for (int p = 0; p < parts; ++p) {
      const int row = p * rows;
      const Pair* const left = a + row / tile_rows * deep * tile_size + row % tile_rows * tile_rows;
      Fetch fetch{ahead, step, tile_rows * p / parts, tile_rows * (p + 1) / parts};  // mutant 215
      for (int column = 0; column < block_rows; column += columns, fetch.from = nullptr) {
        const std::ptrdiff_t at = place(column, step), other = place(column + Pack<float>::size, step) - at;
        // mutant 216
        part(left, b + at, other, deep, c + row * stride + column, stride, how, fetch);
      }
    }
  }

 private:
  /// Where the pairs of a column of b begin.
  static constexpr std::ptrdiff_t place(int column, std::ptrdiff_t step) {
    return column / tile_rows * step + column % tile_rows;  // mutant 217
  }

  /// The lines of each tile that a part fetches: its share of the panel after this one.
  struct Fetch {
    const Pair* from;
    std::ptrdiff_t step;
    int first, last;
  };

  /// other    pairs from one pack of b to the other
  [[gnu::noinline]] static void part(const Pair* a, const Pair* b, std::ptrdiff_t other, int deep, float* c,
                                     std::ptrdiff_t stride, Write how, Fetch fetch) {
    using P = Pack<Pair>;
    using Sum = Pack<float>;
    Sum sum[rows][2];
    ENTRAIN_UNROLL
    for (int i = 0; i < rows; ++i) sum[i][0] = sum[i][1] = Sum(0.0f);
    for (int tile = 0; tile < deep; ++tile, a += tile_size, b += tile_size) {
      for (int i = tile; i < rows; i += deep) {  // mutant 214
        __builtin_prefetch(c + i * stride + block_rows, 1);
        __builtin_prefetch(c + i * stride + block_rows + Sum::size, 1);
      }
      if (fetch.from != nullptr)
        for (int i = fetch.first; i < fetch.last; ++i) {  // mutant 213
          __builtin_prefetch(fetch.from + tile * tile_size + i * tile_rows);
          __builtin_prefetch(fetch.from + fetch.step + tile * tile_size + i * tile_rows);
        }
#pragma GCC unroll 4
      for (int k = 0; k < tile_rows; ++k) {
        const P right[2] = {P::load(b + k * tile_rows), P::load(b + other + k * tile_rows)};
        ENTRAIN_UNROLL
        for (int i = 0; i < rows; ++i) {
          const P left(a[i * tile_rows + k]);
          sum[i][0] = multiply_add(left, right[0], sum[i][0]);
          sum[i][1] = multiply_add(left, right[1], sum[i][1]);
        }
      }
    }
    ENTRAIN_UNROLL
    for (int i = 0; i < rows; ++i)
      for (int w = 0; w < 2; ++w) {
        float* const to = c + i * stride + w * Sum::size;
        (how == Write::add ? Sum::load(to) + sum[i][w] : sum[i][w]).store(to);
      }
  }
};

}  // namespace entrain::kernel::detail
