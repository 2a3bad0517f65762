// tests > [kernel]
#include "entrain/kernel/gemm/transpose.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace entrain;
using kernel::detail::turn;

TEST_CASE_TEMPLATE("turn: every number at its place, zeros up to whole packs, nothing else touched", T, float, double) {
  constexpr int size = Pack<T>::size;
  for (const int rows : {0, 1, 3, size - 1, size, size + 1, 2 * size, 3 * size + 2})
    for (const int width : {1, 3, size - 1, size, size + 1, 2 * size + 3}) {
      const int from_stride = width + 5, to_stride = 4 * size + 7;
      const auto index = [](int at) { return static_cast<std::size_t>(at); };
      std::vector<T> from(index(rows * from_stride + 1)), to(index((width + 1) * to_stride), T(-1));
      for (int r = 0; r < rows; ++r)
        for (int i = 0; i < from_stride; ++i) from[index(r * from_stride + i)] = T(1 + r * 1000 + i);
      turn<T>(rows, width, {from.data(), from_stride, 1}, {to.data(), to_stride, 1});
      const int written = (rows + size - 1) / size * size;
      int wrong = 0;
      for (int i = 0; i <= width; ++i)
        for (int c = 0; c < to_stride; ++c) {
          const T expected = i == width || c >= written ? T(-1) : c < rows ? from[index(c * from_stride + i)] : T(0);
          if (to[index(i * to_stride + c)] != expected) ++wrong;
        }
      CHECK_MESSAGE(wrong == 0, rows, " rows of ", width);
    }
}
