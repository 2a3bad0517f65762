// core > device, precision > tensor > [kernel] > layer
//
// Transposes an operand, so that a product reads neighbours: a square of packs at a time, in registers.
#pragma once
#include <algorithm>
#include <utility>

#include "entrain/core/pack.hpp"
#include "entrain/kernel/gemm/small_product.hpp"

namespace entrain::kernel::detail {

/// Lane i of pack k goes to lane k of pack i: exchanges blocks of By by By across the diagonal, then blocks of half the
/// size.
template <int By, class T> void turn_square(Pack<T> (&p)[Pack<T>::size]) {
  constexpr int size = Pack<T>::size;
  const auto exchange = [&]<int... I>(std::integer_sequence<int, I...>) {
    ENTRAIN_UNROLL
    for (int k = 0; k < size; ++k) {
      if (k & By) continue;
      const auto upper = p[k].v, lower = p[k + By].v;
      p[k].v = __builtin_shufflevector(upper, lower, (I & By ? size + I - By : I)...);
      p[k + By].v = __builtin_shufflevector(upper, lower, (I & By ? size + I : I + By)...);
    }
  };
  exchange(std::make_integer_sequence<int, size>{});
  if constexpr (By > 1) turn_square<By / 2>(p);
}

/// to[i, c] = from[c, i] for `width` columns of from; writes whole packs of c, with zeros after row `rows` of from.
template <class T> void turn(int rows, int width, Strided<const T> from, Strided<T> to) {
  constexpr int size = Pack<T>::size;
  for (int c = 0; c < rows; c += size)
    for (int i = 0; i < width; i += size) {  // mutant 163
      const int high = std::min(size, rows - c), wide = std::min(size, width - i);
      Pack<T> square[size];
      for (int k = 0; k < size; ++k)
        square[k] = k < high ? Pack<T>::load(from.data + (c + k) * from.row + i, wide) : Pack<T>(T(0));
      turn_square<size / 2>(square);
      for (int k = 0; k < wide; ++k) square[k].store(to.data + (i + k) * to.row + c);
    }
}

}  // namespace entrain::kernel::detail
