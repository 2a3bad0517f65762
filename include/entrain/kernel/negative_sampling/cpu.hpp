// core > device, precision > tensor > [kernel] > layer
//
// Each group of positions is a tile (position_group.hpp). Lanes are channels or negative samples, both of which fill
// registers.
#pragma once
#include <cstddef>

#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/negative_sampling/contract.hpp"
#include "entrain/kernel/negative_sampling/position_group.hpp"

namespace entrain::kernel {

template <class G> struct NegativeSampling<device::Cpu<G>> {
  using D = device::Cpu<G>;

  template <Context context, class T, int C> static void gradients(const D& dev, const PositionGroups& groups,
                                                                   Rows<const T, C> in, Rows<const T, C> out,
                                                                   Rows<T, C> dx, Rows<T, C> dy, double* loss) {
    dev.parallel(groups.groups(), [&](int group, int worker) {
      detail::GroupOfPositions<context, T, C> of(dev.workspace(worker), groups, group);
      loss[group] = of.gradients(in, out, dx, dy);
    });
  }

  template <class T, int C>
  static void add_to_rows(const D& dev, CsrIndex segments, const float* factor, Rows<const T, C> d, Rows<T, C> table) {
    using P = Pack<T>;
    dev.rows(segments.count, 64, [&](int first, int last) {
      for (int s = first; s < last; ++s) {
        T* const to = table.row_at(segments.ids[s]);
        const P by(static_cast<T>(factor[s]));
        const int begin = segments.starts[s], end = segments.starts[s + 1];
        ENTRAIN_UNROLL  // so that the last lanes are a constant
            for (int c = 0; c < C; c += P::size) {
          const int lanes = P::template lanes<C>(c);
          P sum(T(0));
          for (int i = begin; i < end; ++i) sum += P::load(d.row_at(segments.items[i]) + c, lanes);
          (P::load(to + c, lanes) + by * sum).store(to + c, lanes);
        }
      }
    });
  }
};

}  // namespace entrain::kernel
