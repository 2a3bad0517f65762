// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <algorithm>
#include <cstddef>

#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/activation/contract.hpp"

namespace entrain::kernel {

template <class G> struct Activation<device::Cpu<G>> {
  using D = device::Cpu<G>;
  static constexpr int block = 32;  // rows of a tile

  template <class Act, class T, int C> static void forward(const D& dev, const T* b, Rows<T, C> x, Rows<T, C> y) {
    dev.rows(x.n, block, [&](int first, int last) {
      points<Act>(b, Matrix<T>{x.row_at(first), last - first, C, C}, y.row_at(first));
    });
  }
  /// y = act(x), and x becomes the slopes.
  template <class Act, class T, int C> static void forward(const D& dev, Rows<T, C> x, Rows<T, C> y) {
    dev.rows(x.n, block, [&](int first, int last) {
      points<Act, false, T>(nullptr, Matrix<T>{x.row_at(first), last - first, C, C}, y.row_at(first));
    });
  }
  /// The same for a part of both matrices; y has the stride of x. Biased: whether b is added.
  template <class Act, bool Biased = true, class T> static void points([[maybe_unused]] const T* b, Matrix<T> x, T* y) {
    using P = Pack<T>;
    for (int n = 0; n < x.rows; ++n) {
      T *const xn = x.data + static_cast<std::ptrdiff_t>(n) * x.stride, *const yn = y + (xn - x.data);
      for (int c = 0; c < x.cols; c += P::size) {  // mutant 14
        __builtin_prefetch(yn + c + x.cols, 1);    // which the next part writes
        const int lanes = std::min(P::size, x.cols - c);
        P in = P::load(xn + c, lanes);
        if constexpr (Biased) in += P::load(b + c, lanes);
        const auto point = Act::at(in);
        point.value.store(yn + c, lanes);
        point.slope.store(xn + c, lanes);
      }
    }
  }
  /// y = act(y + b)
  template <class Act, class T, int C> static void forward(const D& dev, const T* b, Rows<T, C> y) {
    dev.rows(y.n, block, [&](int first, int last) { values<Act>(b, Matrix<T>{y.row_at(first), last - first, C, C}); });
  }
  template <class Act, class T> static void values(const T* b, Matrix<T> y) {
    using P = Pack<T>;
    for (int n = 0; n < y.rows; ++n) {
      T* const yn = y.data + static_cast<std::ptrdiff_t>(n) * y.stride;
      for (int c = 0; c < y.cols; c += P::size) {  // mutant 15
        const int lanes = std::min(P::size, y.cols - c);
        Act::at(P::load(yn + c, lanes) + P::load(b + c, lanes)).value.store(yn + c, lanes);
      }
    }
  }
  /// y *= slope, for a part of both matrices; slope has the stride of y.
  template <class T> static void multiply(const T* slope, Matrix<T> y) {
    using P = Pack<T>;
    for (int n = 0; n < y.rows; ++n) {
      T* const yn = y.data + static_cast<std::ptrdiff_t>(n) * y.stride;
      const T* const factor = slope + (yn - y.data);
      for (int c = 0; c < y.cols; c += P::size) {
        __builtin_prefetch(factor + c + y.cols);  // which the next part reads
        const int lanes = std::min(P::size, y.cols - c);
        (P::load(yn + c, lanes) * P::load(factor + c, lanes)).store(yn + c, lanes);
      }
    }
  }
  template <class T, int C>
  static void backward(const D& dev, Rows<const T, C> dy, Rows<const T, C> slope, Rows<T, C> dx) {
    using P = Pack<T>;
    dev.rows(dy.n, block, [&](int first, int last) {
      for (int n = first; n < last; ++n)
        for (int c = 0; c < C; c += P::size) {  // mutant 16
          const int lanes = P::template lanes<C>(c);
          (P::load(dy.row_at(n) + c, lanes) * P::load(slope.row_at(n) + c, lanes)).store(dx.row_at(n) + c, lanes);
        }
    });
  }
};

}  // namespace entrain::kernel
