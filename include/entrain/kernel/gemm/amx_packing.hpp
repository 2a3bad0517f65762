// core > device, precision > tensor > [kernel] > layer
//
// Rounds an operand of a product to bf16 and stores it as the registers of amx_tiles.hpp read it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "entrain/core/bf16.hpp"
#include "entrain/kernel/gemm/amx_tiles.hpp"
#include "entrain/kernel/gemm/contract.hpp"

namespace entrain::kernel::detail {

/// How an operand is stored: the numbers that are summed are neighbours (along), or one row apart (down).
enum class SumAxis { along, down };
/// The operand's place in the product: a register of the left one has a row of pairs for each row of the result, one of
/// the right one has a column of pairs for each column of the result.
enum class Side { left, right };

/// One register's worth of an operand: `lines` rows or columns of the result (16 at most), `deep` numbers of the sum
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

using PairVector = std::int32_t __attribute__((vector_size(64)));

inline __mmask16 first_lanes(int n) { return static_cast<__mmask16>(n >= 16 ? 0xffff : n <= 0 ? 0 : (1u << n) - 1); }

/// Lane i of row k goes to lane k of row i.
template <int By = 8> inline void turn_tile(PairVector (&p)[16]) {
  const auto exchange = [&]<int... I>(std::integer_sequence<int, I...>) {
    ENTRAIN_UNROLL
    for (int k = 0; k < 16; ++k) {
      if (k & By) continue;
      const PairVector upper = p[k], lower = p[k + By];
      p[k] = __builtin_shufflevector(upper, lower, (I & By ? 16 + I - By : I)...);
      p[k + By] = __builtin_shufflevector(upper, lower, (I & By ? 16 + I : I + By)...);
    }
  };
  exchange(std::make_integer_sequence<int, 16>{});
  if constexpr (By > 1) turn_tile<By / 2>(p);
}

/// The same, 16 pairs at a time. Denormal numbers become zero, as the instructions that multiply read them.
template <SumAxis Stored, Side At>
inline void pack_tile(const float* from, std::ptrdiff_t stride, int lines, int deep, Pair* to) {
  PairVector rows[16];
  if constexpr (Stored == SumAxis::along) {
    const __mmask16 low = first_lanes(deep), high = first_lanes(deep - 16);
    ENTRAIN_UNROLL
    for (int r = 0; r < 16; ++r) {
      const float* const row = from + r * stride;
      const bool is = r < lines;
      rows[r] = __builtin_bit_cast(PairVector, _mm512_cvtne2ps_pbh(_mm512_maskz_loadu_ps(is ? high : 0, row + 16),
                                                                   _mm512_maskz_loadu_ps(is ? low : 0, row)));
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
      const __m512bh both = _mm512_cvtne2ps_pbh(_mm512_maskz_loadu_ps(2 * r + 1 < deep ? width : 0, even + stride),
                                                _mm512_maskz_loadu_ps(2 * r < deep ? width : 0, even));
      rows[r] = __builtin_bit_cast(PairVector, _mm512_permutexvar_epi16(places, __builtin_bit_cast(__m512i, both)));
    }
  }
  if constexpr ((Stored == SumAxis::along) == (At == Side::right)) turn_tile(rows);
  ENTRAIN_UNROLL
  for (int r = 0; r < 16; ++r) std::memcpy(to + r * 16, &rows[r], sizeof rows[r]);
}

#else

template <SumAxis Stored, Side At>
inline void pack_tile(const float* from, std::ptrdiff_t stride, int lines, int deep, Pair* to) {
  pack_tile_by_numbers<Stored, At>(from, stride, lines, deep, to);
}

#endif

/// `tiles` registers' worth of rows or columns of the result, each with all of the sum before the next one; `lines` of
/// them exist, and zeros take the place of the others.
///
/// to        [tiles, ceil(deep / 32), 16, 16] pairs
template <SumAxis Stored, Side At>
void pack_tiles(const float* from, std::ptrdiff_t stride, int tiles, int lines, int deep, Pair* to) {
  const int all = (deep + tile_depth - 1) / tile_depth;  // along the sum
  const auto pack = [&](int tile, int k) {
    const int line = tile * tile_rows, number = k * tile_depth;
    pack_tile<Stored, At>(from + (Stored == SumAxis::along ? line * stride + number : number * stride + line), stride,
                          std::min(lines - line, tile_rows), std::min(deep - number, tile_depth),
                          to + (static_cast<std::ptrdiff_t>(tile) * all + k) * tile_size);
  };
  if constexpr (Stored == SumAxis::along) {
    for (int tile = 0; tile < tiles; ++tile)
      for (int k = 0; k < all; ++k) pack(tile, k);
  } else {  // tile after tile along the operand's rows
    for (int k = 0; k < all; ++k)
      for (int tile = 0; tile < tiles; ++tile) pack(tile, k);
  }
}

}  // namespace entrain::kernel::detail
