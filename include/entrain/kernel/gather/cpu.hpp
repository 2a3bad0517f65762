// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <algorithm>

#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/gather/contract.hpp"

namespace entrain::kernel {

template <class G> struct Gather<device::Cpu<G>> {
  using D = device::Cpu<G>;
  template <class T, int C>
  static void forward(const D& dev, Rows<const T, C> x, const std::int32_t* index, Rows<T, C> y) {
    dev.rows(y.n, 128, [&](int first, int last) {
      for (int n = first; n < last; ++n) std::copy_n(x.row_at(index[n]), C, y.row_at(n));
    });
  }
  template <class T, int C>
  static void spread(const D& dev, Rows<const T, C> dy, const std::int32_t* from, Rows<T, C> dx) {
    dev.rows(dx.n, 128, [&](int first, int last) {
      for (int u = first; u < last; ++u) {
        if (from[u] >= 0) {
          std::copy_n(dy.row_at(from[u]), C, dx.row_at(u));
        } else {
          std::fill_n(dx.row_at(u), C, T(0));
        }
      }
    });
  }
  template <class T, int C> static void backward(const D& dev, Rows<const T, C> dy, CsrIndex segments, Rows<T, C> dx) {
    using P = Pack<T>;
    dev.rows(segments.count, 64, [&](int first, int last) {
      for (int s = first; s < last; ++s) {
        T* to = dx.row_at(segments.ids[s]);
        for (int c = 0; c < C; c += P::size) {  // mutant 128
          const int lanes = P::template lanes<C>(c);
          P sum(T(0));
          for (int i = segments.starts[s]; i < segments.starts[s + 1]; ++i)
            sum += P::load(dy.row_at(segments.items[i]) + c, lanes);
          sum.store(to + c, lanes);
        }
      }
    });
  }
};

}  // namespace entrain::kernel
