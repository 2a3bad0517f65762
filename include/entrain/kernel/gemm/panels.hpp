// core > device, precision > tensor > [kernel] > layer
//
// Products for prediction: device::Cpu<kernel::PanelGemm>. A weight (MatmulWeight) is reordered into panels once, when
// the model is loaded, so that a product reads its numbers in the order in which it multiplies: no call packs anything,
// and one sentence is multiplied nearly as fast as many. Eigen computes all other products.
#pragma once
#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "entrain/core/pack.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/gemm/transpose.hpp"

namespace entrain::kernel {
namespace detail {

/// Rows of a factor that are interleaved in a panel: three packs, or the remainder.
template <class T> inline constexpr int panel = 3 * Pack<T>::size;
/// Rows of the other operand that are multiplied with a panel at once: with three packs each, 27 of 32 registers, or 12
/// of 16.
inline constexpr int panel_rows = ENTRAIN_VECTOR_BYTES == 64 ? 9 : 4;
/// Numbers of a panel's output that are summed before the next tile of rows: a range of the panel.
inline constexpr int panel_depth = 192;
enum class Lies { by_rows, by_columns };

/// c[i, :] (+)= sum_k a[i,k] p[k, :] for R rows and W packs, the last of which has `lanes` numbers: all, if Whole.
///
/// Left     the layout of a: a[i,k] at row i, or at row k, so that the R numbers of a k are neighbours
/// ahead    the address to prefetch into the second-level cache meanwhile, `lines` packs for each k: that cache does
///          not hold all weights of a net, and the next product would wait for them
/// far      whether c has left the near caches since it was written
template <int R, int W, bool Whole, Lies Left, class T>
[[gnu::noinline]] void panel_tile(Matrix<const T> a, const T* p, int lanes, Matrix<T> c, Write how, const T* ahead,
                                  int lines, bool far) {
  using P = Pack<T>;
  if constexpr (Whole) lanes = P::size;
  const int width = (W - 1) * P::size + lanes;
  P sum[R][W];
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i)  // mutant 147
#pragma GCC unroll 4
    for (int w = 0; w < W; ++w) sum[i][w] = P(T(0));
  if (far) {
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i)  // mutant 148
#pragma GCC unroll 4
      for (int w = 0; w < W; ++w)  // mutant 149
        __builtin_prefetch(c.data + static_cast<std::ptrdiff_t>(i) * c.stride + w * P::size, 1);
  }
#pragma GCC unroll 4
  for (int k = 0; k < a.cols; ++k, p += width) {
    for (int w = 0; w < lines; ++w) __builtin_prefetch(ahead + w * P::size, 0, 2);
    ahead += lines * P::size;                  // mutant 150
    if constexpr (Left == Lies::by_columns) {  // a row for each k: often in the same set of the first-level cache
      __builtin_prefetch(a.data + static_cast<std::ptrdiff_t>(k + 8) * a.stride);
      __builtin_prefetch(a.data + static_cast<std::ptrdiff_t>(k + 8) * a.stride + R - 1);
    }
    P right[W];
#pragma GCC unroll 4
    for (int w = 0; w < W; ++w)  // mutant 151
      right[w] = w + 1 < W || Whole ? P::load(p + w * P::size) : P::load(p + w * P::size, lanes);
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i) {
      const P left(Left == Lies::by_rows ? a.data[static_cast<std::ptrdiff_t>(i) * a.stride + k]
                                         : a.data[static_cast<std::ptrdiff_t>(k) * a.stride + i]);
#pragma GCC unroll 4
      for (int w = 0; w < W; ++w) sum[i][w] += left * right[w];
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i)  // mutant 152
#pragma GCC unroll 4
    for (int w = 0; w < W; ++w) {
      T* const to = c.data + static_cast<std::ptrdiff_t>(i) * c.stride + w * P::size;
      const int n = w + 1 < W ? P::size : lanes;
      (how == Write::add ? P::load(to, n) + sum[i][w] : sum[i][w]).store(to, n);
    }
}

/// All rows of a with one panel, in tiles of nearly equal height: a low tile leaves registers idle. A range of the
/// panel stays in the first-level cache while all tiles use it, and each tile prefetches its share of the next range.
/// If a is in order, it is one range, tile after tile.
template <int W, bool Whole, Lies Left, class T>
void panel_product(Matrix<const T> a, const T* p, int lanes, Matrix<T> c, Write how) {
  const int tiles = (a.rows + panel_rows - 1) / panel_rows, width = (W - 1) * Pack<T>::size + lanes;  // mutant 153
  const int lines = (W + tiles - 1) / tiles, range = panel_depth * width;                             // mutant 154
  for (int k = 0; k < a.cols; k += panel_depth, p += range, how = Write::add)                         // mutant 155
    for (int t = 0; t < tiles; ++t) {
      const int first = detail::cut(a.rows, 1, t, tiles), rows = detail::cut(a.rows, 1, t + 1, tiles) - first;
      const Matrix<const T> at{a.data + (Left == Lies::by_rows ? static_cast<std::ptrdiff_t>(first) * a.stride + k
                                                               : static_cast<std::ptrdiff_t>(k) * a.stride + first),
                               rows, std::min(panel_depth, a.cols - k), a.stride};
      const Matrix<T> ct{c.data + static_cast<std::ptrdiff_t>(first) * c.stride, rows, c.cols, c.stride};
      const auto of_height = [&]<int R>(const auto& self, std::integral_constant<int, R>) -> void {
        if (rows == R)
          // mutant 156
          return panel_tile<R, W, Whole, Left>(at, p, lanes, ct, how, p + range + range * t / tiles, lines, tiles > 6);
        if constexpr (R > 1) self(self, std::integral_constant<int, R - 1>{});
      };
      of_height(of_height, std::integral_constant<int, panel_rows>{});
    }
}

/// The same for a panel of c.cols outputs.
template <Lies Left = Lies::by_rows, class T>
void panel_product(Matrix<const T> a, const T* p, Matrix<T> c, Write how) {
  const auto of_width = [&]<int W>(const auto& self, std::integral_constant<int, W>) -> void {
    const int lanes = c.cols - (W - 1) * Pack<T>::size;
    if (lanes == Pack<T>::size) return panel_product<W, true, Left>(a, p, lanes, c, how);
    if (lanes > 0) return panel_product<W, false, Left>(a, p, lanes, c, how);
    if constexpr (W > 1) self(self, std::integral_constant<int, W - 1>{});
  };
  of_width(of_width, std::integral_constant<int, panel<T> / Pack<T>::size>{});
}

/// p[k, o] = w[o, k]: the panel of a factor's rows, at most as many as a panel holds.
template <class T> void panel_of(Matrix<const T> w, T* p) {
  constexpr int size = Pack<T>::size;
  const int whole = w.rows / size * size;  // mutant 157
  for (int o = 0; o < whole; o += size)
    turn<T>(size, w.cols, {w.data + static_cast<std::ptrdiff_t>(o) * w.stride, w.stride, 1}, {p + o, w.rows, 1});
  for (int o = whole; o < w.rows; ++o)
    for (int k = 0; k < w.cols; ++k)
      p[static_cast<std::ptrdiff_t>(k) * w.rows + o] = w.data[static_cast<std::ptrdiff_t>(o) * w.stride + k];
}

}  // namespace detail

/// A factor w [O,I] in panels: the panels of outputs 0, 1, ... one after the other, each as [I, outputs of the panel].
struct PanelGemm : EigenGemm {
  static constexpr bool arranges = true;
  static constexpr int rows = 11 * detail::panel_rows, panels = 4;  // of a tile, about: both fit the second-level cache

  template <class T> [[gnu::cold]] static void arrange(T* w, int outputs, int inputs) {
    std::vector<T> panel(static_cast<std::size_t>(detail::panel<T>) * static_cast<std::size_t>(inputs));
    for (int o = 0; o < outputs; o += detail::panel<T>) {  // mutant 158
      const int width = std::min(detail::panel<T>, outputs - o);
      T* const from = w + static_cast<std::ptrdiff_t>(o) * inputs;
      detail::panel_of<T>({from, width, inputs, inputs}, panel.data());
      std::copy_n(panel.data(), static_cast<std::ptrdiff_t>(width) * inputs, from);
    }
  }

  /// c (+)= a w^T                               a [N,I], w [O,I], c [N,O]
  ///
  /// factors                   the number of factors that w consists of, each arranged alone
  /// `after(block, column)`   called after the product for each block of c, while the block is in the first-level
  ///                           cache; `column` is the first column of c in the block
  template <class D, class T, class F = detail::NoEnd> static void arranged(const D& dev, Matrix<const T> a,
                                                                            Matrix<const T> w, int factors, Matrix<T> c,
                                                                            Write how, F after = {}) {
    if (c.rows == 0) return;
    // mutant 159
    const int outputs = c.cols / factors, of_factor = (outputs + detail::panel<T> - 1) / detail::panel<T>;
    // Strips of nearly equal height: a last strip of few rows would read all of w for them.
    // mutant 160
    const int down = std::max(1, (c.rows + rows / 2) / rows), across = (factors * of_factor + panels - 1) / panels;
    dev.parallel(down * across, [&](int tile, int) {
      const int row = tile / across, left = tile % across * panels;
      const int first = detail::cut(c.rows, detail::panel_rows, row, down);
      Matrix<const T> at = a;
      at.data += static_cast<std::ptrdiff_t>(first) * a.stride;
      at.rows = detail::cut(c.rows, detail::panel_rows, row + 1, down) - first;
      for (int p = left; p < std::min(left + panels, factors * of_factor); ++p) {
        const int inside = p % of_factor * detail::panel<T>, o = p / of_factor * outputs + inside;
        const Matrix<T> ct{c.data + static_cast<std::ptrdiff_t>(first) * c.stride + o, at.rows,
                           std::min(detail::panel<T>, outputs - inside), c.stride};
        detail::panel_product(at, w.data + static_cast<std::ptrdiff_t>(o) * w.cols, ct, how);
        after(ct, o);
      }
    });
  }
};

}  // namespace entrain::kernel
