// core > device, precision > tensor > [kernel] > layer
#pragma once
#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/hash_embed/contract.hpp"

namespace entrain::kernel {

template <class G> struct HashEmbed<device::Cpu<G>> {
  using D = device::Cpu<G>;
  template <int H, class T, int R, int C, int W> static void forward(const D& dev, Table<const T, R, C> table,
                                                                     const std::int32_t* rows, int stride, int column,
                                                                     Rows<T, W> y) {
    using P = Pack<T>;
    dev.rows(y.n, 64, [&](int first, int last) {
      for (int u = first; u < last; ++u) {
        const T* from[H];
        for (int h = 0; h < H; ++h)
          from[h] = table.data + static_cast<std::ptrdiff_t>(rows[static_cast<std::ptrdiff_t>(u) * stride + h]) * C;
        T* to = y.row_at(u) + column;
        for (int c = 0; c < C; c += P::size) {  // mutant 164
          const int lanes = P::template lanes<C>(c);
          P sum = P::load(from[0] + c, lanes);
          for (int h = 1; h < H; ++h) sum += P::load(from[h] + c, lanes);
          sum.store(to + c, lanes);
        }
      }
    });
  }
  template <int H, class T, int R, int C, int W>
  static void backward(const Step<D>& at, Rows<const T, W> dy, int column, CsrIndex segments, Table<T, R, C> g) {
    using P = Pack<T>;
    const std::uint32_t stamp = at.counters->step + 1;
    at.dev.rows(segments.count, 64, [&](int first, int last) {
      for (int s = first; s < last; ++s) {
        const std::int32_t row = segments.ids[s];
        T* to = g.data + static_cast<std::ptrdiff_t>(row) * C;
        const bool again = g.stamp[row] == stamp;
        g.stamp[row] = stamp;
        for (int c = 0; c < C; c += P::size) {  // mutant 165
          const int lanes = P::template lanes<C>(c);
          P sum = again ? P::load(to + c, lanes) : P(T(0));
          for (int i = segments.starts[s]; i < segments.starts[s + 1]; ++i)
            sum += P::load(dy.row_at(segments.items[i] / H) + column + c, lanes);
          sum.store(to + c, lanes);
        }
      }
    });
  }
};

}  // namespace entrain::kernel
