// core > device, precision > tensor > [kernel] > layer
//
// Sums of stretches that wait until a block has left all of its own: each is little work, so that what they cost is to
// be launched, one behind the other.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "entrain/core/contract.hpp"
#include "entrain/device/few.cuh"
#include "entrain/device/part_sums.hpp"
#include "entrain/device/side_lane.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/bias/column_sums.cuh"

namespace entrain::kernel::detail {

/// What was gathered: a thread has a column of one of them.
template <bool Add> __global__ void __launch_bounds__(128) add_gathered_sums(device::PartSums sums) {
  int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  device::PartSum mine{};  // chosen, not looked up
  ENTRAIN_UNROLL
  for (const device::PartSum& one : sums.of) {
    if (mine.columns != 0) continue;
    if (column < one.columns) {
      mine = one;
    } else {
      column -= one.columns;
    }
  }
  if (mine.columns == 0) return;
  using One = device::Few<float, 1>;
  float total[1] = {};
  add_in_order<One, stretches_at_once>(0, mine.count, total, [&](int part) {
    return One::load(mine.parts + (static_cast<std::int64_t>(part) * mine.stride + column));
  });
  mine.to[column] = Add ? mine.to[column] + total[0] : total[0];
}

/// add_stretches, on the side lane or when the step's sums are added up.
template <int K, class D, class S> void add_later(const Step<D>& at, device::SideLane<D>& lane, const S* parts,
                                                  ColumnResults<S, K> g, int columns, int stretches) {
  if constexpr (std::is_same_v<S, float>) {
    if (at.sums != nullptr && at.sums->has_room_for(K)) {
      for (int k = 0; k < K; ++k)
        at.sums->gather({parts + static_cast<std::ptrdiff_t>(k) * columns, g.of[k], columns, K * columns, stretches});
      return;
    }
  }
  lane([&](const D& dev) { add_stretches(dev, parts, g, columns, stretches, at.grads); });
}

}  // namespace entrain::kernel::detail
