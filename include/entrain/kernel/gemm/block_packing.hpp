// core > device, precision > tensor > [kernel] > layer
//
// Rounds an operand of a product to bf16 and stores it in tiles (tiles.hpp), in the order in which a block of a product
// reads them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "entrain/core/bf16.hpp"
#include "entrain/kernel/gemm/pairs.hpp"
#include "entrain/kernel/gemm/tiles.hpp"
#include "entrain/kernel/gemm/transpose.hpp"

namespace entrain::kernel::detail {

/// How an operand is stored: the numbers that are summed are neighbours (along), or one row apart (down).
enum class SumAxis { along, down };
/// The operand's place in the product: a tile of the left one has a row of pairs for each row of the result, one of the
/// right one has a column of pairs for each column of the result.
enum class Side { left, right };

/// One tile of an operand: `lines` rows or columns of the result (16 at most), `deep` numbers of the sum
/// (32 at most); zeros follow.
template <SumAxis Stored, Side At>
void pack_tile_by_numbers(const float* from, std::ptrdiff_t stride, int lines, int deep, Pair* to) {
  const auto number = [&](int line, int k) {
    return line < lines && k < deep ? from[Stored == SumAxis::along ? line * stride + k : k * stride + line] : 0.0f;
  };
  for (int line = 0; line < tile_rows; ++line)
    for (int k = 0; k < tile_rows; ++k) {
      const std::uint32_t even = bf16(number(line, 2 * k)).bits, odd = bf16(number(line, 2 * k + 1)).bits;
      to[At == Side::left ? line * tile_rows + k : k * tile_rows + line] = Pair{odd << 16 | even};
    }
}

#if ENTRAIN_BF16_PRODUCTS

inline __mmask16 first_lanes(int n) { return static_cast<__mmask16>(n >= 16 ? 0xffff : n <= 0 ? 0 : (1u << n) - 1); }

/// Numbers along a row that are fetched before they are packed: 16 rows are more streams than the processor follows.
/// The products of MiniLM are 1.05 times as fast with it, and 1.03 times with half of it (as in amx_block.hpp). Rows of
/// a left operand that is stored transposed are fetched into the second-level cache: with rows of 1536 numbers, 16 of
/// them share a set of the first level, which has 12 lines. A step of MiniLM is 1.004 times as fast with it, with one
/// thread and with two (31 slices), of BERT-base 1.01 and 1.00 times (11; Zen 5).
inline constexpr int fetched_ahead = 128;

/// The same, 16 pairs at a time. Denormal numbers become zero, as the instructions that multiply read them.
///
/// Whole    whether all lines and numbers exist: loads without a mask
template <SumAxis Stored, Side At, bool Whole>
void pack_tile_of(const float* from, std::ptrdiff_t stride, int lines, int deep, Pair* to) {
  using Vector = Pack<Pair>::Vector;
  const auto load = [](bool exists, __mmask16 lanes, const float* at) {
    return Whole ? _mm512_loadu_ps(at) : _mm512_maskz_loadu_ps(exists ? lanes : 0, at);
  };
  Pack<Pair> rows[16];
  if constexpr (Stored == SumAxis::along) {
    const __mmask16 low = first_lanes(deep), high = first_lanes(deep - 16);
    ENTRAIN_UNROLL
    for (int r = 0; r < 16; ++r) {
      const float* const row = from + r * stride;
      __builtin_prefetch(row + fetched_ahead);
      __builtin_prefetch(row + fetched_ahead + 16);
      rows[r].v =
          __builtin_bit_cast(Vector, _mm512_cvtne2ps_pbh(load(r < lines, high, row + 16), load(r < lines, low, row)));
    }
  } else {
    const __mmask16 width = first_lanes(lines);
    // words 0 16 1 17 2 18 ...: a number of the even row, then the one below it
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i places =
        _mm512_or_si512(lanes, _mm512_slli_epi32(_mm512_add_epi32(lanes, _mm512_set1_epi32(16)), 16));
    ENTRAIN_UNROLL
    for (int r = 0; r < 16; ++r) {
      const float* const even = from + 2 * r * stride;
      const std::ptrdiff_t next = At == Side::left ? tile_depth * stride : fetched_ahead;  // the walk of pack_tiles
      constexpr int cache = At == Side::left ? 2 : 3;
      __builtin_prefetch(even + next, 0, cache);
      __builtin_prefetch(even + next + stride, 0, cache);
      const __m512bh both =
          _mm512_cvtne2ps_pbh(load(2 * r + 1 < deep, width, even + stride), load(2 * r < deep, width, even));
      rows[r].v = __builtin_bit_cast(Vector, _mm512_permutexvar_epi16(places, __builtin_bit_cast(__m512i, both)));
    }
  }
  if constexpr ((Stored == SumAxis::along) == (At == Side::right)) turn_square<8>(rows);
  ENTRAIN_UNROLL
  for (int r = 0; r < 16; ++r) std::memcpy(to + r * 16, &rows[r].v, sizeof(Vector));
}

template <SumAxis Stored, Side At>
inline void pack_tile(const float* from, std::ptrdiff_t stride, int lines, int deep, Pair* to) {
  if (lines == tile_rows && deep == tile_depth) return pack_tile_of<Stored, At, true>(from, stride, lines, deep, to);
  pack_tile_of<Stored, At, false>(from, stride, lines, deep, to);
}

#else

template <SumAxis Stored, Side At>
inline void pack_tile(const float* from, std::ptrdiff_t stride, int lines, int deep, Pair* to) {
  pack_tile_by_numbers<Stored, At>(from, stride, lines, deep, to);
}

#endif

/// Packs a whole tile for a later product. It writes past the caches where the CPU can, and so does not read `to`
/// first: a step of MiniLM is 1.01 to 1.02 times as fast with it (medians of 15 slices, Zen 5). Other threads may read
/// the tile after end_stream(). to: at a multiple of 64 bytes.
template <SumAxis Stored, Side At> inline void stream_tile(const float* from, std::ptrdiff_t stride, Pair* to) {
#if ENTRAIN_BF16_PRODUCTS
  alignas(64) Pair tile[tile_size];
  pack_tile_of<Stored, At, true>(from, stride, tile_rows, tile_depth, tile);
  ENTRAIN_UNROLL
  for (int i = 0; i < tile_size; i += 16)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i), _mm512_load_si512(tile + i));
#else
  pack_tile<Stored, At>(from, stride, tile_rows, tile_depth, to);
#endif
}
inline void end_stream() {
#if ENTRAIN_BF16_PRODUCTS
  _mm_sfence();
#endif
}

/// The k-th tile along the sum, for each of `tiles` tiles of rows or columns of the result; `lines` of these rows or
/// columns exist, and zeros take the place of the others.
///
/// to        [tiles, ceil(deep / 32), 16, 16] pairs: all tiles along the sum for 16 rows or columns, then the next ones
template <SumAxis Stored, Side At>
void pack_tiles_at(int k, const float* from, std::ptrdiff_t stride, int tiles, int lines, int deep, Pair* to) {
  const int all = (deep + tile_depth - 1) / tile_depth, number = k * tile_depth;
  for (int tile = 0; tile < tiles; ++tile) {
    const int line = tile * tile_rows;
    pack_tile<Stored, At>(from + (Stored == SumAxis::along ? line * stride + number : number * stride + line), stride,
                          std::min(lines - line, tile_rows), std::min(deep - number, tile_depth),
                          to + (static_cast<std::ptrdiff_t>(tile) * all + k) * tile_size);
  }
}

/// All tiles along the sum.
template <SumAxis Stored, Side At>
void pack_tiles(const float* from, std::ptrdiff_t stride, int tiles, int lines, int deep, Pair* to) {
  for (int k = 0; k * tile_depth < deep; ++k) pack_tiles_at<Stored, At>(k, from, stride, tiles, lines, deep, to);
}

}  // namespace entrain::kernel::detail
