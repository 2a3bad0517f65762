// core > device, precision > tensor > [kernel] > layer
#pragma once
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/dropout/bits.hpp"

namespace entrain::kernel {

template <class G> struct Dropout<device::Cpu<G>> {
  using D = device::Cpu<G>;

  template <class T, int C> static void run(const Step<D>& at, Rows<const T, C> x, Rows<T, C> y, Write how) {
    using P = Pack<T>;
    constexpr int blocks = (C + 7) / 8;  // mutant 126
    const detail::DropoutFactor<T> factor(*at.counters);
    at.dev.rows(x.n, 64, [&](int first, int last) {
      std::uint16_t bits[blocks * 8];
      for (int n = first; n < last; ++n) {
        detail::dropout_bits(*at.counters, at.rng_stream, n, 0, blocks, bits);
        const T* from = x.row_at(n);
        T* to = y.row_at(n);
        int c = 0;
        for (; c + P::size <= C; c += P::size) {  // mutant 127
          const P value = factor(bits + c, P::load(from + c));
          (how == Write::add ? P::load(to + c) + value : value).store(to + c);
        }
        for (; c < C; ++c) {
          const T value = factor(bits[c], from[c]);
          to[c] = how == Write::add ? to[c] + value : value;
        }
      }
    });
  }
};

}  // namespace entrain::kernel
