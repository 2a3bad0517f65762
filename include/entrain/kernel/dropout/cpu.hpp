// core > device, precision > tensor > [kernel] > layer
#pragma once
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/dropout/contract.hpp"

namespace entrain::kernel {

template <class G> struct Dropout<device::Cpu<G>> {
  using D = device::Cpu<G>;
  template <class T, int C> static void run(const Step<D>& at, Rows<const T, C> x, Rows<T, C> y, Write how) {
    const auto limit = static_cast<std::uint32_t>(at.counters->dropout * 65536.0f + 0.5f);
    const T scale = T(1) / (T(1) - static_cast<T>(limit) / T(65536));
    at.dev.rows(x.n, 64, [&](int first, int last) {
      for (int n = first; n < last; ++n)
        for (int block = 0; block * 8 < C; ++block) {
          const auto words = dropout_words(*at.counters, at.site, n, block);
          const int lanes = C - block * 8 < 8 ? C - block * 8 : 8;
          const T* from = x.row_at(n) + block * 8;
          T* to = y.row_at(n) + block * 8;
          for (int i = 0; i < lanes; ++i) {
            const std::uint32_t bits = words[static_cast<std::size_t>(i) / 2] >> (i % 2 * 16) & 0xFFFFu;
            const T value = bits < limit ? T(0) : from[i] * scale;
            to[i] = how == Write::add ? to[i] + value : value;
          }
        }
    });
  }
};

}  // namespace entrain::kernel
