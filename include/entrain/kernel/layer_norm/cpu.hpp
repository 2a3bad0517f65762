// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cmath>
#include <type_traits>

#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/layer_norm/contract.hpp"

namespace entrain::kernel {

template <class G> struct LayerNorm<device::Cpu<G>> {
  using D = device::Cpu<G>;

  /// sum over one row of f(pack, first channel, lanes): four sums of packs, so that none waits for the previous one,
  /// then lanes in fixed order
  template <class T, int C, class F> static T sum(F f) {
    using P = Pack<T>;
    P total[4] = {P(T(0)), P(T(0)), P(T(0)), P(T(0))};
    int c = 0;
    for (; c + 4 * P::size <= C; c += 4 * P::size) {  // mutant 167
      ENTRAIN_UNROLL
      for (int i = 0; i < 4; ++i) total[i] += f(c + i * P::size, P::size);
    }
    for (; c + P::size <= C; c += P::size) total[0] += f(c, P::size);  // mutant 168
    if (c < C) total[0] += f(c, C - c);                                // mutant 169
    return ((total[0] + total[1]) + (total[2] + total[3])).sum();
  }

  template <class T, int C> static void forward(const D& dev, Rows<const T, C> x, const T* gain, const T* shift,
                                                double eps, Rows<T, 2> stat, Rows<T, C> y) {
    const auto run = [&](auto shifted) {
      dev.rows(x.n, 64, [&](int first, int last) {
        for (int n = first; n < last; ++n)
          forward_row<T, C, shifted>(x.row_at(n), gain, shift, static_cast<T>(eps), stat.row_at(n), y.row_at(n));
      });
    };
    shift != nullptr ? run(std::true_type()) : run(std::false_type());
  }
  /// Shifted: whether there is a shift
  template <class T, int C, bool Shifted = true>
  static void forward_row(const T* x, const T* gain, [[maybe_unused]] const T* shift, T eps, T* stat, T* y) {
    using P = Pack<T>;
    const T mean = sum<T, C>([&](int c, int lanes) { return P::load(x + c, lanes); }) / T(C);
    const T variance = sum<T, C>([&](int c, int lanes) {
                         const P d = (P::load(x + c, lanes) - P(mean)) * ones(T{}, lanes);
                         return d * d;
                       }) /
                       T(C);
    const T rstd = 1 / std::sqrt(variance + eps);
    stat[0] = mean;
    stat[1] = rstd;
    for (int c = 0; c < C; c += P::size) {  // mutant 170
      const int lanes = P::template lanes<C>(c);
      const P h = (P::load(x + c, lanes) - P(mean)) * P(rstd);
      if constexpr (Shifted) {
        (h * P::load(gain + c, lanes) + P::load(shift + c, lanes)).store(y + c, lanes);
      } else {
        (h * P::load(gain + c, lanes)).store(y + c, lanes);
      }
    }
  }

  template <class T, int C> static void backward(const D& dev, Rows<const T, C> dy, Rows<const T, C> x,
                                                 Rows<const T, 2> stat, const T* gain, Rows<T, C> dx, Write how) {
    dev.rows(x.n, 64, [&](int first, int last) {
      for (int n = first; n < last; ++n)
        backward_row<T, C>(dy.row_at(n), x.row_at(n), stat.row_at(n), gain, dx.row_at(n), how);
    });
  }
  template <class T, int C>
  static void backward_row(const T* dy, const T* x, const T* stat, const T* gain, T* dx, Write how) {
    using P = Pack<T>;
    const P mean(stat[0]), rstd(stat[1]);
    const auto d = [&](int c, int lanes) { return P::load(dy + c, lanes) * P::load(gain + c, lanes); };
    const auto h = [&](int c, int lanes) { return (P::load(x + c, lanes) - mean) * rstd; };
    const P a(sum<T, C>(d) / T(C));
    const P b(sum<T, C>([&](int c, int lanes) { return d(c, lanes) * h(c, lanes); }) / T(C));
    for (int c = 0; c < C; c += P::size) {  // mutant 171
      const int lanes = P::template lanes<C>(c);
      const P value = rstd * (d(c, lanes) - a - h(c, lanes) * b);
      (how == Write::add ? P::load(dx + c, lanes) + value : value).store(dx + c, lanes);
    }
  }

  template <class T, int C> static void params(const D& dev, Rows<const T, C> dy, Rows<const T, C> x,
                                               Rows<const T, 2> stat, T* ggain, T* gshift, Write how) {
    using P = Pack<T>;
    constexpr int packs = 2, width = packs * P::size;
    dev.parallel((C + width - 1) / width, [&](int tile, int) {                // mutant 172
      P gain[packs] = {P(T(0)), P(T(0))}, shift[packs] = {P(T(0)), P(T(0))};  // mutant 173
      const auto each = [&](auto f) {
        for (int p = 0; p < packs; ++p) {
          const int c = tile * width + p * P::size;
          if (c < C) f(p, c, P::template lanes<C>(c));  // mutant 174
        }
      };
      for (int n = 0; n < x.n; ++n) {
        const P mean(stat(n, 0)), rstd(stat(n, 1));
        each([&](int p, int c, int lanes) {
          const P d = P::load(dy.row_at(n) + c, lanes);
          gain[p] += d * ((P::load(x.row_at(n) + c, lanes) - mean) * rstd);
          shift[p] += d;
        });
      }
      each([&](int p, int c, int lanes) {
        (how == Write::add ? P::load(ggain + c, lanes) + gain[p] : gain[p]).store(ggain + c, lanes);
        if (gshift == nullptr) return;
        (how == Write::add ? P::load(gshift + c, lanes) + shift[p] : shift[p]).store(gshift + c, lanes);
      });
    });
  }

 private:
  /// One in the first lanes, zero in the others.
  template <class T> static Pack<T> ones(T, int lanes) {
    if (lanes == Pack<T>::size) return Pack<T>(T(1));
    T one[Pack<T>::size] = {};
    for (int i = 0; i < lanes; ++i) one[i] = 1;
    return Pack<T>::load(one);
  }
};

}  // namespace entrain::kernel
