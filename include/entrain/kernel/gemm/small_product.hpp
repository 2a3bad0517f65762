// core > device, precision > tensor > [kernel] > layer
//
// The products inside one head of one sentence: too small for a blocked product to pay for its packing. The kernel
// reads the right operand's rows in packs and the left operand one number at a time; the result stays in registers.
#pragma once
#include <cstddef>

#include "entrain/core/contract.hpp"
#include "entrain/core/pack.hpp"

namespace entrain::kernel::detail {

/// A matrix with a step for each index, so that a transposed operand is the same memory with the steps exchanged.
template <class T> struct Strided {
  T* data;
  std::ptrdiff_t row, column;
};
template <class T> Strided<T> transposed(Strided<T> m) { return {m.data, m.column, m.row}; }

/// c[i, :] (+)= scale sum_k a[i,k] b[k, :] for R rows and W packs, the last of which has `lanes` numbers, or all if
/// Whole. A call that loads part of a pack would spill every sum from its register.
template <int R, int W, bool Whole, class T>
[[gnu::always_inline]] inline void small_tile(int depth, Strided<const T> a, Strided<const T> b, Strided<T> c,
                                              int lanes, T scale, Write how) {
  using P = Pack<T>;
  P sum[R][W];
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i)
#pragma GCC unroll 4
    for (int w = 0; w < W; ++w) sum[i][w] = P(T(0));
  if constexpr (Whole) lanes = P::size;
  for (int k = 0; k < depth; ++k) {
    P right[W];
    const T* from = b.data + k * b.row;
#pragma GCC unroll 4
    for (int w = 0; w < W; ++w)
      right[w] = w + 1 < W || Whole ? P::load(from + w * P::size) : P::load(from + w * P::size, lanes);
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i) {
      const P left(a.data[i * a.row + k * a.column]);
#pragma GCC unroll 4
      for (int w = 0; w < W; ++w) sum[i][w] += left * right[w];
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i)
#pragma GCC unroll 4
    for (int w = 0; w < W; ++w) {
      T* to = c.data + i * c.row + w * P::size;
      const int n = w + 1 < W ? P::size : lanes;
      const P value = sum[i][w] * P(scale);
      (how == Write::add ? P::load(to, n) + value : value).store(to, n);
    }
}

/// Rows [0, rows) in tiles of R, then of half as many, down to one.
template <int R, int W, bool Whole, class T> void small_rows(int rows, int depth, Strided<const T> a,
                                                             Strided<const T> b, Strided<T> c, int lanes, T scale,
                                                             Write how) {
  int i = 0;
  for (; i + R <= rows; i += R)
    small_tile<R, W, Whole>(depth, Strided<const T>{a.data + i * a.row, a.row, a.column}, b,
                            Strided<T>{c.data + i * c.row, c.row, c.column}, lanes, scale, how);
  if constexpr (R > 1)
    if (i < rows)  // mutant 161
      small_rows<R / 2, W, Whole>(rows - i, depth, Strided<const T>{a.data + i * a.row, a.row, a.column}, b,
                                  Strided<T>{c.data + i * c.row, c.row, c.column}, lanes, scale, how);
}

/// c[i,j] (+)= scale sum_k a[i,k] b[k,j]         b and c have columns j, j + 1 next to each other (column == 1)
template <class T> void small_product(int rows, int columns, int depth, Strided<const T> a, Strided<const T> b,
                                      Strided<T> c, T scale, Write how) {
  using P = Pack<T>;
  constexpr int tall = ENTRAIN_VECTOR_BYTES == 64 ? 12 : 6;  // 2 packs a row: 24 of 32 registers, or 12 of 16
  int j = 0;
  const auto right = [&](int first) { return Strided<const T>{b.data + first, b.row, 1}; };
  const auto result = [&](int first) { return Strided<T>{c.data + first, c.row, 1}; };
  for (; columns - j >= 2 * P::size; j += 2 * P::size)
    small_rows<tall, 2, true>(rows, depth, a, right(j), result(j), P::size, scale, how);
  const int left = columns - j;
  if (left > P::size) small_rows<tall, 2, false>(rows, depth, a, right(j), result(j), left - P::size, scale, how);
  if (left == P::size) small_rows<tall, 1, true>(rows, depth, a, right(j), result(j), left, scale, how);
  // mutant 162
  if (0 < left && left < P::size) small_rows<tall, 1, false>(rows, depth, a, right(j), result(j), left, scale, how);
}

}  // namespace entrain::kernel::detail
