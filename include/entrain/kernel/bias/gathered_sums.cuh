// core > device, precision > tensor > [kernel] > layer
//
// Sums of ranges, deferred until a block has computed all of its partial sums. Each sum is little work, so its cost
// would be the launch of its own kernel, one after the other.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "entrain/core/contract.hpp"
#include "entrain/device/backward_step.hpp"
#include "entrain/device/part_sums.hpp"
#include "entrain/kernel/bias/column_sums.cuh"
#include "entrain/kernel/bias/part_sums.cuh"

namespace entrain::kernel::detail {

/// All gathered sums, one after another: the threads of a column find the sum to which it belongs.
template <bool Add> __global__ void __launch_bounds__(part_threads) add_gathered_sums(device::PartSums sums) {
  int column = column_of_parts();
  device::PartSum mine{};  // selected by comparison
  ENTRAIN_UNROLL
  for (const device::PartSum& one : sums.of) {
    if (mine.columns != 0) continue;
    if (column < one.columns) {
      mine = one;
    } else {
      column -= one.columns;
    }
  }
  sum_parts_of_column<float>(mine.parts, column, mine.stride, mine.count,
                             mine.columns != 0 ? mine.to + column : nullptr, Add);
}

/// add_ranges, computed in at.side or together with the block's other sums.
template <int K, class D, class S>
void add_later(const BackwardStep<D>& at, const S* parts, ColumnResults<S, K> g, int columns, int ranges) {
  if constexpr (std::is_same_v<S, float>) {
    if (device::PartSums* const sums = at.schedule.sums; sums != nullptr && sums->has_room_for(K)) {
      for (int k = 0; k < K; ++k)
        sums->gather({parts + static_cast<std::ptrdiff_t>(k) * columns, g.of[k], columns, K * columns, ranges});
      return;
    }
  }
  at.side([&](const D& dev) { add_ranges(dev, parts, g, columns, ranges, at.grads); });
}

}  // namespace entrain::kernel::detail
