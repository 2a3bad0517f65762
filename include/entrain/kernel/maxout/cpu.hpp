// core > device, precision > tensor > [kernel] > layer
#pragma once
#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/maxout/contract.hpp"

namespace entrain::kernel {

template <class G> struct Maxout<device::Cpu<G>> {
  using D = device::Cpu<G>;
  template <int K, class T, int C> static void forward(const D& dev, Rows<const T, K * C> pre, const T* bias,
                                                       Rows<T, C> y, Rows<std::uint8_t, C> which) {
    using P = Pack<T>;
    dev.rows(y.n, 64, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const T* from = pre.row_at(n);
        T* to = y.row_at(n);
        std::uint8_t* won = which.row_at(n);
        int c = 0;
        for (; c + P::size <= C; c += P::size) {  // mutant 177
          P best = P::load(from + c) + P::load(bias + c);
          typename P::Mask index{};
          for (int p = 1; p < K; ++p) {
            const P value = P::load(from + p * C + c) + P::load(bias + p * C + c);
            const typename P::Mask larger = value > best;
            index = (index & ~larger) | (larger & p);
            best = select(larger, value, best);
          }
          best.store(to + c);
          P::narrow(index, won + c);
        }
        for (; c < C; ++c) {
          to[c] = from[c] + bias[c];
          won[c] = 0;
          for (int p = 1; p < K; ++p)
            if (const T value = from[p * C + c] + bias[p * C + c]; value > to[c]) {
              to[c] = value;
              won[c] = static_cast<std::uint8_t>(p);
            }
        }
      }
    });
  }
  template <int K, class T, int C>
  static void backward(const D& dev, Rows<const T, C> dy, Rows<const std::uint8_t, C> which, Rows<T, K * C> dpre) {
    using P = Pack<T>;
    dev.rows(dy.n, 64, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const T* from = dy.row_at(n);
        const std::uint8_t* won = which.row_at(n);
        T* to = dpre.row_at(n);
        int c = 0;
        for (; c + P::size <= C; c += P::size) {  // mutant 178
          const P value = P::load(from + c);
          const typename P::Mask index = P::widen(won + c);
          for (int p = 0; p < K; ++p) select(index == p, value, P(T(0))).store(to + p * C + c);
        }
        for (; c < C; ++c)
          for (int p = 0; p < K; ++p) to[p * C + c] = won[c] == p ? from[c] : T(0);
      }
    });
  }
};

}  // namespace entrain::kernel
