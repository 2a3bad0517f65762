// tests > [kernel]
#include "entrain/kernel/gemm/small_product.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace entrain;
using kernel::detail::small_product;
using kernel::detail::Strided;

namespace {

/// Whole numbers below 8, so that every sum is exact; no number follows the last one of a row that is read.
template <class T> std::vector<T> whole_numbers(int count, int seed) {
  std::vector<T> v(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) v[static_cast<std::size_t>(i)] = static_cast<T>((i * 7 + i / 5 + seed) % 8);
  return v;
}

/// Whether c (+)= 2 a b, a as it is or transposed, is what loops compute, with the numbers between c's rows as they
/// were.
template <class T> bool as_loops(int rows, int columns, int depth, bool turned, Write how) {
  const auto a = whole_numbers<T>(rows * depth, 1), b = whole_numbers<T>(depth * columns, 2);
  const int stride = columns + 3;
  const auto before = whole_numbers<T>((rows - 1) * stride + columns, 3);
  auto c = before;
  const Strided<const T> left{a.data(), turned ? 1 : depth, turned ? rows : 1};
  small_product<T>(rows, columns, depth, left, {b.data(), columns, 1}, {c.data(), stride, 1}, T(2), how);
  bool same = true;
  for (int at = 0; at < static_cast<int>(c.size()); ++at) {
    const int i = at / stride, j = at % stride;
    T expected = j >= columns || how == Write::add ? before[static_cast<std::size_t>(at)] : T(0);
    for (int k = 0; k < depth && j < columns; ++k)
      expected += 2 * left.data[i * left.row + k * left.column] * b[static_cast<std::size_t>(k * columns + j)];
    same = same && c[static_cast<std::size_t>(at)] == expected;
  }
  return same;
}

}  // namespace

TEST_CASE_TEMPLATE("small products: whatever the sizes, as loops say", T, float, double) {
  constexpr int size = Pack<T>::size;
  for (int rows = 1; rows <= 26; ++rows)
    for (const int columns : {1, size - 1, size, size + 1, 2 * size - 1, 2 * size, 3 * size + 1, 5 * size})
      for (const int depth : {0, 1, 5})
        for (const Write how : {Write::assign, Write::add})
          for (const bool turned : {false, true})
            CHECK_MESSAGE(as_loops<T>(rows, columns, depth, turned, how), rows, " by ", columns, ", sums of ", depth);
}
