// core > device, precision > tensor > [kernel] > layer
#pragma once
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/maxout/contract.hpp"

namespace entrain::kernel {

template <class G> struct Maxout<device::Cpu<G>> {
  using D = device::Cpu<G>;
  // Branch-free loops over a fixed width: g++ and clang turn them into packs at -O2.
  template <int K, class T, int C> static void forward(const D& dev, Rows<const T, K * C> pre, const T* bias,
                                                       Rows<T, C> y, Rows<std::uint8_t, C> which) {
    dev.rows(y.n, 64, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const T* from = pre.row_at(n);
        T* to = y.row_at(n);
        std::uint8_t* won = which.row_at(n);
        for (int c = 0; c < C; ++c) {
          T best = from[c] + bias[c];
          std::uint8_t index = 0;
          for (int p = 1; p < K; ++p) {
            const T value = from[p * C + c] + bias[p * C + c];
            index = value > best ? static_cast<std::uint8_t>(p) : index;
            best = value > best ? value : best;
          }
          to[c] = best;
          won[c] = index;
        }
      }
    });
  }
  template <int K, class T, int C>
  static void backward(const D& dev, Rows<const T, C> dy, Rows<const std::uint8_t, C> which, Rows<T, K * C> dpre) {
    dev.rows(dy.n, 64, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        const T* from = dy.row_at(n);
        const std::uint8_t* won = which.row_at(n);
        for (int p = 0; p < K; ++p) {
          T* to = dpre.row_at(n) + p * C;
          for (int c = 0; c < C; ++c) to[c] = won[c] == p ? from[c] : T(0);
        }
      }
    });
  }
};

}  // namespace entrain::kernel
