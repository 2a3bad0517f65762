// core > device, precision > tensor > [kernel] > layer
#pragma once
#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/gated/contract.hpp"

namespace entrain::kernel {

template <class G> struct Gated<device::Cpu<G>> {
  using D = device::Cpu<G>;
  static constexpr int block = 32;  // rows of a tile

  template <class Act, class T, int I2, int I> static void forward(const D& dev, Rows<const T, I2> u, Rows<T, I> y) {
    using P = Pack<T>;
    dev.rows(y.n, block, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const T *const in = u.row_at(n), *const gate = in + I;
        for (int i = 0; i < I; i += P::size) {
          const int lanes = P::template lanes<I>(i);
          (Act::at(P::load(in + i, lanes)).value * P::load(gate + i, lanes)).store(y.row_at(n) + i, lanes);
        }
      }
    });
  }
  template <class Act, class T, int I2, int I>
  static void backward(const D& dev, Rows<const T, I> dy, Rows<const T, I2> u, Rows<T, I2> du) {
    using P = Pack<T>;
    dev.rows(dy.n, block, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const T *const in = u.row_at(n), *const gate = in + I;
        T* const to = du.row_at(n);
        for (int i = 0; i < I; i += P::size) {
          const int lanes = P::template lanes<I>(i);
          const auto point = Act::at(P::load(in + i, lanes));
          const P d = P::load(dy.row_at(n) + i, lanes), by = P::load(gate + i, lanes);
          (d * by * point.slope).store(to + i, lanes);
          (d * point.value).store(to + I + i, lanes);
        }
      }
    });
  }
};

}  // namespace entrain::kernel
