// core > device, precision > tensor > [kernel] > layer
//
// A bias is added to every row; its gradient is the sum over rows.
#pragma once
#include "entrain/kernel/gemm/contract.hpp"

namespace entrain::kernel {

/// Specialised for each device: `add(dev, b, y)` and `sum(dev, dy, g, how)` on erased matrices.
template <class D> struct Bias;

/// y[n,c] += b[c]
template <class D, class B, class Y> void add_bias(const D& dev, B b, Y y) {
  const auto m = erase(y);
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(1. * m.rows * m.cols, 2. * sizeof(*m.data) * m.rows * m.cols);
  } else {
    Bias<D>::add(dev, b.data, m);
  }
}

/// y[n,o] = sum_i x[n,i] w[o,i] + b[o]          in one pass on a device that arranges factors or has epilogues
template <class D, class X, class W, class B, class Y> void gemm_bias(const D& dev, X x, W w, B b, Y y) {
  if constexpr (arranges<D> && W::factors > 0) {
    D::Gemm::arranged(dev, detail::constant(x), detail::constant(w), W::factors, erase(y), Write::assign,
                      [b](auto block, int column) { Bias<D>::add_rows(b.data + column, block); });
  } else if constexpr (has_epilogues<D> && std::is_same_v<detail::NumberOf<B>, detail::NumberOf<Y>>) {
    if (!Gemm<D>::bias(dev, detail::constant(x), detail::constant(w), b.data, erase(y))) add_bias(dev, b, y);
  } else {
    gemm(dev, x, w, y);
    add_bias(dev, b, y);
  }
}

/// g[c] (+)= sum_n dy[n,c], rows in order
template <class D, class Dy, class G> void sum_rows(const D& dev, Dy dy, G g, Write how) {
  const auto m = detail::constant(dy);
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(1. * m.rows * m.cols, 1. * sizeof(*m.data) * m.rows * m.cols);
  } else {
    Bias<D>::sum(dev, m, g.data, how);
  }
}

}  // namespace entrain::kernel
