// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <cstdint>

#include "entrain/device/cuda.cuh"
#include "entrain/device/each.cuh"
#include "entrain/kernel/window/contract.hpp"

namespace entrain::kernel {
namespace detail {

/// Whether the row k places to the right (k < 0: to the left) is in the same sentence.
ENTRAIN_HD inline bool in_sentence(std::uint8_t bits, int k) {
  return k == 0 || (bits >> (k < 0 ? -k : 4 + k) & 1) != 0;  // mutant 206
}

template <int R, class A, int C> struct WindowFew {
  const A* x;
  const std::uint8_t* neighbours;
  A* y;
  __device__ void operator()(int row, int channel) const {
    using Few = device::Few<A, device::few_of<A, C>>;
    const int k = channel / C - R, c = channel % C;
    const std::int64_t from = static_cast<std::int64_t>(row + k) * C + c;
    const Few part = in_sentence(neighbours[row], k) ? Few::load(x + from) : Few::all(A(0.f));
    part.store(y + static_cast<std::int64_t>(row) * (2 * R + 1) * C + channel);
  }
};

template <int R, class A, int C> struct WindowBackFew {
  const A* dy;
  const std::uint8_t* neighbours;
  A* dx;
  Write how;
  __device__ void operator()(int row, int channel) const {
    constexpr int n = device::few_of<A, C>, wide = (2 * R + 1) * C;
    using Few = device::Few<A, n>;
    const std::int64_t at = static_cast<std::int64_t>(row) * C + channel;
    Few old = how == Write::add ? Few::load(dx + at) : Few::all(A(0.f));
    float sum[n];  // mutant 207
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i) sum[i] = static_cast<float>(old.of[i]);
    const std::uint8_t bits = neighbours[row];
    ENTRAIN_UNROLL
    for (int k = -R; k <= R; ++k) {  // row n was part k of row n - k
      if (!in_sentence(bits, -k)) continue;
      const Few part = Few::load(dy + static_cast<std::int64_t>(row - k) * wide + (k + R) * C + channel);
      ENTRAIN_UNROLL
      for (int i = 0; i < n; ++i) sum[i] += static_cast<float>(part.of[i]);
    }
    ENTRAIN_UNROLL
    for (int i = 0; i < n; ++i) old.of[i] = static_cast<A>(sum[i]);
    old.store(dx + at);
  }
};

}  // namespace detail

template <class Target> struct Window<device::Cuda<Target>> {
  using D = device::Cuda<Target>;
  template <int R, class A, int C>
  static void forward(const Step<D>& at, Rows<const A, C> x, Rows<A, (2 * R + 1) * C> y) {
    device::each<device::few_of<A, C>, (2 * R + 1) * C>(
        at.dev.stream(), x.n, detail::WindowFew<R, A, C>{x.data, at.geometry.neighbours, y.data});
  }
  template <int R, class A, int C>
  static void backward(const Step<D>& at, Rows<const A, (2 * R + 1) * C> dy, Rows<A, C> dx, Write how) {
    device::each<device::few_of<A, C>, C>(
        at.dev.stream(), dx.n, detail::WindowBackFew<R, A, C>{dy.data, at.geometry.neighbours, dx.data, how});
  }
};

}  // namespace entrain::kernel
