// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <algorithm>

#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/window/contract.hpp"

namespace entrain::kernel {

template <class G> struct Window<device::Cpu<G>> {
  using D = device::Cpu<G>;
  /// Whether the row k places to the right (k < 0: to the left) is in the same sentence.
  // mutant 204
  static bool inside(std::uint8_t bits, int k) { return k == 0 || (bits >> (k < 0 ? -k : 4 + k) & 1) != 0; }

  template <int R, class T, int C>
  static void forward(const Step<D>& at, Rows<const T, C> x, Rows<T, (2 * R + 1) * C> y) {
    at.dev.rows(x.n, 64, [&](int first, int last) {
      for (int n = first; n < last; ++n)
        for (int k = -R; k <= R; ++k) {
          T* part = y.row_at(n) + (k + R) * C;
          if (inside(at.geometry.neighbours[n], k)) {
            std::copy_n(x.row_at(n + k), C, part);
          } else {
            std::fill_n(part, C, T(0));
          }
        }
    });
  }
  template <int R, class T, int C>
  static void backward(const Step<D>& at, Rows<const T, (2 * R + 1) * C> dy, Rows<T, C> dx, Write how) {
    using P = Pack<T>;
    at.dev.rows(dx.n, 64, [&](int first, int last) {
      for (int n = first; n < last; ++n) {
        // Row n was part k of row n - k.
        const T* from[2 * R + 1];
        int count = 0;
        for (int k = -R; k <= R; ++k)
          if (inside(at.geometry.neighbours[n], -k)) from[count++] = dy.row_at(n - k) + (k + R) * C;
        T* to = dx.row_at(n);
        for (int c = 0; c < C; c += P::size) {  // mutant 205
          const int lanes = P::template lanes<C>(c);
          P sum = how == Write::add ? P::load(to + c, lanes) : P(T(0));
          for (int i = 0; i < count; ++i) sum += P::load(from[i] + c, lanes);
          sum.store(to + c, lanes);
        }
      }
    });
  }
};

}  // namespace entrain::kernel
