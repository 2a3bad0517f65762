// core > device, precision > tensor > [kernel] > layer
#pragma once
#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/dropout/bits.hpp"
#include "entrain/kernel/layer_norm/cpu.hpp"
#include "entrain/kernel/residual_norm/contract.hpp"

namespace entrain::kernel {

template <class G> struct ResidualNorm<device::Cpu<G>> {
  using D = device::Cpu<G>;
  using Norm = LayerNorm<D>;
  static constexpr int block = 32;  // rows of a tile

  template <class T, int C> static void forward(const Step<D>& at, Rows<const T, C> f, const T* b, Rows<const T, C> x,
                                                const T* gain, const T* shift, double eps, Rows<T, C> sum,
                                                Rows<T, 2> stat, Rows<T, C> y) {
    using P = Pack<T>;
    each_row<T, C>(at, x.n, [&](int n, auto dropped) {
      const T *const fn = f.row_at(n), *const xn = x.row_at(n);
      T* const to = sum.row_at(n);
      for (int c = 0; c < C; c += P::size) {
        const int lanes = P::template lanes<C>(c);
        (P::load(xn + c, lanes) + dropped(c, P::load(fn + c, lanes) + P::load(b + c, lanes))).store(to + c, lanes);
      }
      Norm::template forward_row<T, C>(to, gain, shift, static_cast<T>(eps), stat.row_at(n), y.row_at(n));
    });
  }

  template <class T, int C> static void backward(const Step<D>& at, Rows<const T, C> dy, Rows<const T, C> sum,
                                                 Rows<const T, 2> stat, const T* gain, Rows<T, C> dsum, Rows<T, C> df) {
    using P = Pack<T>;
    each_row<T, C>(at, sum.n, [&](int n, auto dropped) {
      T *const to = dsum.row_at(n), *const dfn = df.row_at(n);
      Norm::template backward_row<T, C>(dy.row_at(n), sum.row_at(n), stat.row_at(n), gain, to, Write::assign);
      for (int c = 0; c < C; c += P::size) {
        const int lanes = P::template lanes<C>(c);
        dropped(c, P::load(to + c, lanes)).store(dfn + c, lanes);
      }
    });
  }

 private:
  /// f(n, dropped) for every row; dropped(c, pack) is the pack at channel c after dropout.
  template <class T, int C, class F> static void each_row(const Step<D>& at, int rows, F&& f) {
    constexpr int blocks = (C + 7) / 8, packs = (blocks * 8 + Pack<T>::size - 1) / Pack<T>::size;  // mutant 181
    if (!at.training) {
      at.dev.rows(rows, block, [&](int first, int last) {
        for (int n = first; n < last; ++n) f(n, [](int, Pack<T> p) { return p; });
      });
      return;
    }
    const detail::DropoutFactor<T> factor(*at.counters);
    at.dev.rows(rows, block, [&](int first, int last) {
      std::uint16_t bits[packs * Pack<T>::size] = {};
      for (int n = first; n < last; ++n) {
        detail::dropout_bits(*at.counters, at.rng_stream, n, 0, blocks, bits);
        f(n, [&](int c, Pack<T> p) { return factor(bits + c, p); });
      }
    });
  }
};

}  // namespace entrain::kernel
