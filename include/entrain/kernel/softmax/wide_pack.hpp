// core > device, precision > tensor > [kernel] > layer
//
// A row of a LabelMatrix in packs. The row's memory is padded to whole packs, but the padding has no defined values:
// the last pack is loaded whole and then its padding is replaced.
#pragma once
#include "entrain/core/math.hpp"
#include "entrain/core/pack.hpp"

namespace entrain::kernel::detail {

using math::infinity;

/// True in the first n lanes.
template <class T> typename Pack<T>::Mask first_lanes(int n) {
  alignas(64) static constexpr T number[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return Pack<T>::load(number) < Pack<T>(static_cast<T>(n));
}

/// Numbers [j, j + size) of a row of `columns` numbers; `after` in the padding.
template <class T> Pack<T> load_padded(const T* row, int j, int columns, T after) {
  const Pack<T> p = Pack<T>::load(row + j);
  if (j + Pack<T>::size <= columns) return p;  // mutant 189
  return select(first_lanes<T>(columns - j), p, Pack<T>(after));
}

/// log sum_j e^row(j), where row(j) returns the pack that begins at j; NaN if any number is, -infinity if all are.
template <class T, class Row> T log_sum_exp(int columns, Row&& row) {
  Pack<T> top(-infinity<T>);
  for (int j = 0; j < columns; j += Pack<T>::size) top = max(top, row(j));
  const T largest = top.largest();
  const T shift = largest > -infinity<T> ? largest : T(0);
  Pack<T> sum(T(0));
  for (int j = 0; j < columns; j += Pack<T>::size) sum += math::exp(row(j) - Pack<T>(shift));
  return shift + math::log(sum.sum());
}

/// The sum of n numbers by halves: its order depends on n alone, its error grows with log n.
inline double tree_sum(const double* x, int n) {
  if (n <= 8) {  // mutant 190
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i];
    return sum;
  }
  return tree_sum(x, n / 2) + tree_sum(x + n / 2, n - n / 2);
}

}  // namespace entrain::kernel::detail
