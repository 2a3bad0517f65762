// core > device, precision > tensor > [kernel] > layer
//
// Products for training in bf16: device::Cpu<kernel::Bf16Gemm>. Stored numbers stay fp32. A product rounds its operands
// to bf16, packs two of them into one lane, and sums in fp32. Twice the speed if the CPU has an instruction for that
// (AVX512_BF16: AMD from Zen 4, Intel from Cooper Lake); on other CPUs the same rounding at half of PackedGemm's speed.
// Read kernel/gemm/packed.hpp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "entrain/core/bf16.hpp"
#include "entrain/kernel/gemm/packed.hpp"
#include "entrain/kernel/gemm/pairs.hpp"

namespace entrain {
namespace kernel {
namespace detail {

/// sum + left.even * right.even + left.odd * right.odd, in every lane.
inline Pack<float> multiply_add(Pack<Pair> left, Pack<Pair> right, Pack<float> sum) {
#if ENTRAIN_BF16_PRODUCTS
  return _mm512_dpbf16_ps(sum.v, __builtin_bit_cast(__m512bh, left.v), __builtin_bit_cast(__m512bh, right.v));
#else
  sum += left.odd() * right.odd();
  return sum += left.even() * right.even();
#endif
}

inline Pair rounded(float even, float odd) {
  return Pair{static_cast<std::uint32_t>(bf16(odd).bits) << 16 | bf16(even).bits};
}

/// to[i, k] = the pair x[i, 2k], x[i, 2k + 1]: neighbours along a row. Zero follows an odd last column.
inline void pairs_along(Matrix<const float> x, Pair* to) {
  const int whole = x.cols / 2, pairs = (x.cols + 1) / 2;
  for (int i = 0; i < x.rows; ++i, to += pairs) {
    const float* const from = x.data + static_cast<std::ptrdiff_t>(i) * x.stride;
    int k = 0;
#if ENTRAIN_BF16_PRODUCTS
    for (; k + 16 <= whole; k += 16) {  // mutant 134
      const __m512bh both = _mm512_cvtne2ps_pbh(_mm512_loadu_ps(from + 2 * k + 16), _mm512_loadu_ps(from + 2 * k));
      std::memcpy(to + k, &both, sizeof both);
    }
#endif
    for (; k < whole; ++k) to[k] = rounded(from[2 * k], from[2 * k + 1]);
    if (whole < pairs) to[whole] = rounded(from[2 * whole], 0);
  }
}

/// to[k, c] = the pair x[2k, c], x[2k + 1, c]: neighbours along a column. Zero follows an odd last row.
inline void pairs_down(Matrix<const float> x, Pair* to) {
  for (int k = 0; k < x.rows; k += 2, to += x.cols) {
    const float* const even = x.data + static_cast<std::ptrdiff_t>(k) * x.stride;
    const bool single = k + 1 == x.rows;
    const float* const odd = even + (single ? 0 : x.stride);
    int c = 0;
#if ENTRAIN_BF16_PRODUCTS
    for (; c + 16 <= x.cols && !single; c += 16) {  // mutant 135
      const __m512bh both = _mm512_cvtne2ps_pbh(_mm512_loadu_ps(odd + c), _mm512_loadu_ps(even + c));
      const __m512i low = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(__builtin_bit_cast(__m512i, both)));
      const __m512i high = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(__builtin_bit_cast(__m512i, both), 1));
      const __m512i pairs = _mm512_or_si512(low, _mm512_slli_epi32(high, 16));
      std::memcpy(to + c, &pairs, sizeof pairs);
    }
#endif
    for (; c < x.cols; ++c) to[c] = rounded(even[c], single ? 0 : odd[c]);
  }
}

}  // namespace detail

/// c (+)= round(op(a)) round(op(b)) of fp32 operands, sums in fp32; fp64 as PackedGemm.
///
/// source    bf16 in training: Kalamkar et al. 2019, arXiv:1905.12322; torch's autocast does the same to products on a
///           CPU
struct Bf16Gemm : PackedGemm {
  static constexpr std::string_view instructions = ENTRAIN_BF16_PRODUCTS ? "avx512_bf16" : "";  // that decide the bits
  static constexpr std::string_view rounds =
      ENTRAIN_BF16_PRODUCTS ? "bf16" : "bf16 (slower than fp32: not compiled for a CPU with AVX512_BF16)";
  /// Size of a tile, in rows and in panels. Rows are in whole units, so that none of nearly equal tiles has more.
  static constexpr int most_rows = 640 / detail::panel_rows * detail::panel_rows, columns = 4;
  static constexpr int depth = 2 * detail::panel_depth;  // numbers packed at a time: a range of pairs
  static constexpr int turned = 64;                      // columns of b that are transposed at a time

  static constexpr std::size_t workspace(std::size_t number) {
    constexpr std::size_t pairs = depth / 2 * (most_rows + detail::panel<float>),
                          numbers = turned * detail::panel<float>;
    return std::max(PackedGemm::workspace(number), sizeof(detail::Pair) * pairs + sizeof(float) * numbers);
  }
  template <bool TransposeA, class T> static Extent tile_of(int rows, int cols) {
    if constexpr (!std::is_same_v<T, float>) {
      return PackedGemm::tile_of<TransposeA, T>(rows, cols);
    } else {
      return {most_rows, columns * detail::panel<float>};
    }
  }
  template <bool TransposeA, bool TransposeB, class T>
  static void tile(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, Write how, std::byte* workspace) {
    if constexpr (!std::is_same_v<T, float>) {
      PackedGemm::tile<TransposeA, TransposeB>(a, b, c, how, workspace);
    } else {
      using detail::Pair;
      Pair* const left = reinterpret_cast<Pair*>(workspace);
      Pair* const panel = left + most_rows * depth / 2;                                           // mutant 136
      float* const numbers = reinterpret_cast<float*>(panel + detail::panel<float> * depth / 2);  // mutant 137
      const int whole = TransposeA ? a.rows : a.cols;
      for (int k = 0; k < whole; k += depth, how = Write::add) {  // mutant 138
        const int deep = std::min(depth, whole - k), pairs = (deep + 1) / 2;
        if constexpr (TransposeA) {
          detail::pairs_down({a.data + static_cast<std::ptrdiff_t>(k) * a.stride, deep, c.rows, a.stride}, left);
        } else {
          detail::pairs_along({a.data + k, c.rows, deep, a.stride}, left);
        }
        const Matrix<const Pair> at{left, c.rows, pairs, TransposeA ? c.rows : pairs};
        for (int o = 0; o < c.cols; o += detail::panel<float>) {  // mutant 139
          const int width = std::min(detail::panel<float>, c.cols - o);
          if constexpr (TransposeB) {
            for (int i = 0; i < deep; i += turned) {  // mutant 140
              const int some = std::min(turned, deep - i);
              detail::panel_of<float>(
                  {b.data + static_cast<std::ptrdiff_t>(o) * b.stride + k + i, width, some, b.stride}, numbers);
              detail::pairs_down({numbers, some, width, width}, panel + i / 2 * width);
            }
          } else {
            detail::pairs_down({b.data + static_cast<std::ptrdiff_t>(k) * b.stride + o, deep, width, b.stride}, panel);
          }
          detail::panel_product<TransposeA ? detail::Lies::by_columns : detail::Lies::by_rows>(
              at, static_cast<const Pair*>(panel), Matrix<float>{c.data + o, c.rows, width, c.stride}, how);
        }
      }
    }
  }
};

}  // namespace kernel
}  // namespace entrain
