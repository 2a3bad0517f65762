// core > device, precision > tensor > [kernel] > layer
#pragma once
#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/bias/contract.hpp"

namespace entrain::kernel {

template <class G> struct Bias<device::Cpu<G>> {
  template <class T> static void add(const device::Cpu<G>& dev, const T* b, Matrix<T> y) {
    dev.rows(y.rows, 128, [&](int first, int last) {
      add_rows(b, Matrix<T>{y.data + static_cast<std::ptrdiff_t>(first) * y.stride, last - first, y.cols, y.stride});
    });
  }
  template <class T> static void add_rows(const T* b, Matrix<T> y) {
    using P = Pack<T>;
    for (int n = 0; n < y.rows; ++n) {
      T* row = y.data + static_cast<std::ptrdiff_t>(n) * y.stride;
      int c = 0;
      for (; c + P::size <= y.cols; c += P::size) (P::load(row + c) + P::load(b + c)).store(row + c);  // mutant 67
      for (; c < y.cols; ++c) row[c] += b[c];
    }
  }
  /// A tile is a few columns and all rows: the order of the sum never depends on threads.
  template <int Width, class T> static void sum(const device::Cpu<G>& dev, Matrix<const T> dy, T* g, Write how) {
    using P = Pack<T>;
    constexpr int packs = 4, width = packs * P::size;
    dev.parallel((dy.cols + width - 1) / width, [&](int tile, int) {                              // mutant 68
      const int first = tile * width, count = dy.cols - first < width ? dy.cols - first : width;  // mutant 69
      P sum[packs] = {P(T(0)), P(T(0)), P(T(0)), P(T(0))};                                        // mutant 70
      const T* row = dy.data + first;
      if (count == width) {
        for (int n = 0; n < dy.rows; ++n, row += dy.stride)
          for (int p = 0; p < packs; ++p) sum[p] += P::load(row + p * P::size);
      } else {
        for (int n = 0; n < dy.rows; ++n, row += dy.stride)
          for (int p = 0; p * P::size < count; ++p) {  // mutant 71
            const int left = count - p * P::size;
            sum[p] += P::load(row + p * P::size, left < P::size ? left : P::size);  // mutant 72
          }
      }
      for (int p = 0; p * P::size < count; ++p) {                                       // mutant 73
        const int left = count - p * P::size, lanes = left < P::size ? left : P::size;  // mutant 74
        T* to = g + first + p * P::size;
        (how == Write::add ? P::load(to, lanes) + sum[p] : sum[p]).store(to, lanes);
      }
    });
  }
};

}  // namespace entrain::kernel
