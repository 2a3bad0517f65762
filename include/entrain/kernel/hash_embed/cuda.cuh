// core > device, precision > tensor > [kernel] > layer
//
// A table row's gradient is one thread's for each few channels: its look-ups are added in the packer's order.
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/kernel/hash_embed/contract.hpp"

namespace entrain::kernel {
namespace detail {

template <int H, class A, class W, int C, int Width> struct HashEmbedFew {
  const W* table;
  const std::int32_t* rows;
  int stride, column;
  A* y;
  __device__ void operator()(int word, int channel) const {
    constexpr int n = device::few_of<W, C>;
    using Few = device::Few<W, n>;
    float sum[n] = {};
    ENTRAIN_UNROLL
    for (int h = 0; h < H; ++h) {
      const std::int64_t row = rows[static_cast<std::int64_t>(word) * stride + h];
      const Few part = Few::load(table + row * C + channel);
      ENTRAIN_UNROLL
      for (int i = 0; i < n; ++i) sum[i] += static_cast<float>(part.of[i]);
    }
    A* const to = y + static_cast<std::int64_t>(word) * Width + column + channel;
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i) to[i] = static_cast<A>(sum[i]);
  }
};

/// Whether this step has written a row before is asked by all its threads, so it is stamped by a later kernel.
template <int H, class A, class S, int C, int Width> struct HashEmbedBackFew {
  const A* dy;
  int column;
  Segments segments;
  S* g;
  const std::uint32_t* stamp;
  const Counters* counters;
  __device__ void operator()(int segment, int channel) const {
    constexpr int n = device::few_of<S, C>;
    using Few = device::Few<S, n>;
    const std::int32_t row = segments.ids[segment];
    S* const to = g + static_cast<std::int64_t>(row) * C + channel;
    Few sum = stamp[row] == counters->step + 1 ? Few::load(to) : Few::all(S(0));
    for (int i = segments.starts[segment]; i < segments.starts[segment + 1]; ++i) {
      const A* const from = dy + static_cast<std::int64_t>(segments.items[i] / H) * Width + column + channel;
      ENTRAIN_UNROLL
      for (int k = 0; k < n; ++k) sum.of[k] += static_cast<S>(from[k]);
    }
    sum.store(to);
  }
};

struct StampRow {
  const std::int32_t* ids;
  std::uint32_t* stamp;
  const Counters* counters;
  __device__ void operator()(int segment, int) const { stamp[ids[segment]] = counters->step + 1; }
};

}  // namespace detail

template <class Target> struct HashEmbed<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <int H, class A, class W, int R, int C, int Width>
  static void forward(const D& dev, Table<const W, R, C> table, const std::int32_t* rows, int stride, int column,
                      Rows<A, Width> y) {
    device::each<device::few_of<W, C>, C>(
        dev.stream(), y.n, detail::HashEmbedFew<H, A, W, C, Width>{table.data, rows, stride, column, y.data});
  }
  template <int H, class A, class S, int R, int C, int Width>
  static void backward(const Step<D>& at, Rows<const A, Width> dy, int column, Segments segments, Table<S, R, C> g) {
    device::each<device::few_of<S, C>, C>(
        at.dev.stream(), segments.count,
        detail::HashEmbedBackFew<H, A, S, C, Width>{dy.data, column, segments, g.data, g.stamp, at.counters});
    device::each<1, 1>(at.dev.stream(), segments.count, detail::StampRow{segments.ids, g.stamp, at.counters});
  }
};

}  // namespace entrain::kernel
