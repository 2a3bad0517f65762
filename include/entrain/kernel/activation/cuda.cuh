// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/device/launch.cuh"
#include "entrain/kernel/activation/contract.hpp"
#include "entrain/kernel/activation/fast_gelu.cuh"
#include "entrain/kernel/map/cuda.cuh"

namespace entrain::kernel {
namespace detail {

enum class Keep { nothing, slope, input };

/// y = act(x + b); kept: the slopes, or x + b. kept and y may each be x.
///
/// W         void: no b is added
template <class Act, Keep K, class A, class W, int C> struct BiasActFew {
  const W* b;
  const A* x;
  A* kept;
  A* y;
  __device__ void operator()(int row, int channel) const {
    constexpr int n = device::few_of<A, C>;
    using Few = device::Few<A, n>;
    const std::int64_t at = static_cast<std::int64_t>(row) * C + channel;
    const Few before = Few::load(x + at);
    constexpr bool biased = !std::is_void_v<W>;
    device::Few<std::conditional_t<biased, W, A>, n> more;
    if constexpr (biased) more = more.load(b + channel);
    Few value, keep;
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i) {
      float input = before.template as<float>(i);
      if constexpr (biased) input += more.template as<float>(i);
      const auto at_input = point<Act, A>(input);
      value.of[i] = static_cast<A>(at_input.value);
      keep.of[i] = static_cast<A>(K == Keep::input ? input : at_input.slope);
    }
    value.store(y + at);
    if constexpr (K != Keep::nothing) keep.store(kept + at);
  }
};

/// y = act(x)
template <class Act, class A, int C> struct ActFew {
  const A* x;
  A* y;
  __device__ void operator()(int row, int channel) const {
    constexpr int n = device::few_of<A, C>;
    using Few = device::Few<A, n>;
    const std::int64_t at = static_cast<std::int64_t>(row) * C + channel;
    const Few from = Few::load(x + at);
    Few value;
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i) value.of[i] = static_cast<A>(point<Act, A>(from.template as<float>(i)).value);
    value.store(y + at);
  }
};

template <class Act, class A> struct TimesSlope {
  __device__ float operator()(float dy, float x) const { return dy * point<Act, A>(x).slope; }
};

inline constexpr int back_rows = 8;  // of a block of threads, processed at a time
/// The sums of a block's rows over a warp's columns, N columns a lane.
template <class S, int N> struct BackParts { S of[back_rows][device::warp * N]; };

/// dx = dy act'(x);   parts[range, c] = sum over the range's rows n of dx[n,c], before it is rounded. dx may be dy.
///
/// A thread processes a few neighbouring columns and every eighth row of a range. It loads its next row while it
/// computes the current one. Then the block adds the sums of its threads, in order.
template <class Act, class A, class S, int C> __global__ void __launch_bounds__(device::warp* back_rows, 4)
    act_back_summing(const A* dy, const A* x, A* dx, S* parts, int n, int rows) {
  constexpr int few = device::few_of<A, C>, columns = device::warp * few;
  using Few = device::Few<A, few>;
  auto& memory = device::shared<BackParts<S, few>>();
  const int lane = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int tile = static_cast<int>(blockIdx.x) * columns, column = tile + lane * few;
  const int first = static_cast<int>(blockIdx.y) * rows, last = first + rows < n ? first + rows : n;  // mutant 17
  S sum[few] = {};                                                                                    // mutant 18
  if (column < C) {
    device::Words<Few> next_d{}, next_from{};
    const auto load = [&](int row) {
      if (row >= last) return;
      const std::int64_t at = static_cast<std::int64_t>(row) * C + column;
      next_d = __builtin_bit_cast(device::Words<Few>, Few::load(dy + at));
      next_from = __builtin_bit_cast(device::Words<Few>, Few::load(x + at));
    };
    load(first + y);
    for (int row = first + y; row < last; row += back_rows) {
      const std::int64_t at = static_cast<std::int64_t>(row) * C + column;
      const Few d = __builtin_bit_cast(Few, next_d), from = __builtin_bit_cast(Few, next_from);
      load(row + back_rows);
      Few to;
      ENTRAIN_UNROLL
      for (int i = 0; i < few; ++i) {
        const float product = TimesSlope<Act, A>()(d.template as<float>(i), from.template as<float>(i));
        sum[i] += static_cast<S>(product);
        to.of[i] = static_cast<A>(product);
      }
      to.store(dx + at);
    }
  }
  ENTRAIN_UNROLL
  for (int i = 0; i < few; ++i) memory.of[y][lane * few + i] = sum[i];
  __syncthreads();
  const int mine = y * device::warp + lane;
  if (mine >= columns || tile + mine >= C) return;
  S total = 0;
  for (int i = 0; i < back_rows; ++i) total += memory.of[i][mine];
  parts[static_cast<std::int64_t>(blockIdx.y) * C + tile + mine] = total;
}

}  // namespace detail

template <class Target> struct Activation<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <class Act, class A, class W, int C>
  static void forward(const D& dev, const W* b, Rows<A, C> x, Rows<A, C> y) {
    walk<Act, detail::Keep::slope>(dev, b, x.data, x.data, y);
  }
  /// y = act(x), and x becomes the slopes.
  template <class Act, class A, int C> static void forward(const D& dev, Rows<A, C> x, Rows<A, C> y) {
    walk<Act, detail::Keep::slope>(dev, static_cast<const void*>(nullptr), x.data, x.data, y);
  }
  /// aux = x + b, y = act(x + b);   either may be x
  template <class Act, class A, class W, int C>
  static void forward_keeping_input(const D& dev, const W* b, Rows<A, C> x, Rows<A, C> aux, Rows<A, C> y) {
    walk<Act, detail::Keep::input>(dev, b, x.data, aux.data, y);
  }
  /// y = act(x)
  template <class Act, class A, int C> static void values(const D& dev, Rows<const A, C> x, Rows<A, C> y) {
    device::each<device::few_of<A, C>, C>(dev.stream(), x.n, detail::ActFew<Act, A, C>{x.data, y.data});
  }
  /// y = act(y + b)
  template <class Act, class A, class W, int C> static void forward(const D& dev, const W* b, Rows<A, C> y) {
    walk<Act, detail::Keep::nothing>(dev, b, y.data, static_cast<A*>(nullptr), y);
  }
  template <class A, int C>
  static void backward(const D& dev, Rows<const A, C> dy, Rows<const A, C> slope, Rows<A, C> dx) {
    device::each<device::few_of<A, C>, C>(dev.stream(), dy.n,
                                          detail::JoinFew<detail::Times, A, C>{dy.data, slope.data, dx.data});
  }
  /// dx = dy act'(x)
  template <class Act, class A, int C>
  static void backward_by_input(const D& dev, Rows<const A, C> dy, Rows<const A, C> x, Rows<A, C> dx) {
    device::each<device::few_of<A, C>, C>(dev.stream(), dy.n,
                                          detail::JoinFew<detail::TimesSlope<Act, A>, A, C>{dy.data, x.data, dx.data});
  }
  /// The same, and the sums of dx over ranges of rows.
  template <class Act, class A, class S, int C> static void backward_by_input(const D& dev, Rows<const A, C> dy,
                                                                              Rows<const A, C> x, Rows<A, C> dx,
                                                                              Rows<S, C> parts) {
    constexpr int few = device::few_of<A, C>, columns = device::warp * few;
    if (parts.n == 0) return;
    device::launch(dev.stream(),
                   {dim3((C + columns - 1) / columns, static_cast<unsigned>(parts.n)),  // mutant 19
                    dim3(device::warp, detail::back_rows), sizeof(detail::BackParts<S, few>)},
                   detail::act_back_summing<Act, A, S, C>, dy.data, x.data, dx.data, parts.data, dy.n,
                   detail::fused_ranges(dy.n).rows);
  }

 private:
  template <class Act, detail::Keep K, class A, class W, int C>
  static void walk(const D& dev, const W* b, const A* x, A* kept, Rows<A, C> y) {
    device::each<device::few_of<A, C>, C>(dev.stream(), y.n, detail::BiasActFew<Act, K, A, W, C>{b, x, kept, y.data});
  }
};

}  // namespace entrain::kernel
