// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstdint>
#include <numeric>
#include <type_traits>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/kernel/gather/segment_sums.cuh"
#include "entrain/kernel/hash_embed/contract.hpp"

namespace entrain::kernel {
namespace detail {

/// n neighbours of a column range that begins at a multiple of n
template <int n, int H, class A, class W, int C, int Width> struct HashEmbedFew {
  const W* table;
  const std::int32_t* rows;
  int stride, column;
  A* y;
  __device__ void operator()(int word, int channel) const {
    using Few = device::Few<W, n>;
    float sum[n] = {};  // mutant 166
    ENTRAIN_UNROLL
    for (int h = 0; h < H; ++h) {
      const std::int64_t row = rows[static_cast<std::int64_t>(word) * stride + h];
      const Few part = Few::load(table + row * C + channel);
      ENTRAIN_UNROLL
      for (int i = 0; i < n; ++i) sum[i] += static_cast<float>(part.of[i]);
    }
    device::Few<A, n> out;
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i) out.of[i] = static_cast<A>(sum[i]);
    out.store(y + static_cast<std::int64_t>(word) * Width + column + channel);
  }
};

/// All threads of a row read its stamp to see whether this step has written the row before; so the row is stamped after
/// all of them have read it.
template <int n, int H, class A, class S, int C, int Width> struct HashEmbedTerms {
  static constexpr int width = C, few = n;
  static constexpr bool ends = true;
  using Sum = S;
  using Few = device::Few<A, n>;
  const A* dy;
  int column;
  S* g;
  std::uint32_t* stamp;
  const Counters* counters;
  __device__ Few term(std::int32_t item, int channel) const {
    return Few::load(dy + static_cast<std::int64_t>(item / H) * Width + column + channel);
  }
  __device__ void begin(std::int32_t id, int channel, S (&sum)[n]) const {
    if (stamp[id] != counters->step + 1) return;
    const auto old = device::Few<S, n>::load(g + static_cast<std::int64_t>(id) * C + channel);
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i) sum[i] = old.of[i];
  }
  __device__ void write(std::int32_t id, int channel, const S (&sum)[n]) const {
    device::Few<S, n> out;
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i) out.of[i] = sum[i];
    out.store(g + static_cast<std::int64_t>(id) * C + channel);
  }
  __device__ void end(std::int32_t id, int channel) const {
    if (channel == 0) stamp[id] = counters->step + 1;
  }
};

}  // namespace detail

template <class Target> struct HashEmbed<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <int H, class A, class W, int R, int C, int Width>
  static void forward(const D& dev, Table<const W, R, C> table, const std::int32_t* rows, int stride, int column,
                      Rows<A, Width> y) {
    by_few<C, Width, W>(column, [&](auto few) {
      constexpr int n = few();
      device::each<n, C>(dev.stream(), y.n,
                         detail::HashEmbedFew<n, H, A, W, C, Width>{table.data, rows, stride, column, y.data});
    });
  }
  template <int H, class A, class S, int R, int C, int Width>
  static void backward(const Step<D>& at, Rows<const A, Width> dy, int column, CsrIndex segments, Table<S, R, C> g) {
    by_few<C, Width, S>(column, [&](auto few) {
      detail::segment_sums(
          at.dev, detail::HashEmbedTerms<few(), H, A, S, C, Width>{dy.data, column, g.data, g.stamp, at.counters},
          segments, dy.n * H);
    });
  }

 private:
  /// f(the number of neighbouring columns moved at once): one if the range's first column does not allow more.
  template <int C, int Width, class T, class F> static void by_few(int column, const F& f) {
    constexpr int n = device::few_of<T, std::gcd(C, Width)>;
    if (column % n == 0) {
      f(std::integral_constant<int, n>{});
    } else {
      f(std::integral_constant<int, 1>{});
    }
  }
};

}  // namespace entrain::kernel
