// core > device, precision > tensor > [kernel] > layer
//
// A bias and a function behind a product, in one pass.
#pragma once
#include <type_traits>

#include "entrain/core/activation.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::kernel {

/// The device's side of the verbs below: activation/cpu.hpp.
template <class D> struct Activation;

/// y[n,c] = act(x[n,c] + b[c]);   x[n,c] = act'(x[n,c] + b[c])
///
/// saves     the caller keeps x, by now the slopes: one walk gives value and slope for little more than the value
template <class Act, class D, class A, class W, int C>
void bias_act(const D& dev, Weight<const W, 1, C> b, Rows<A, C> x, Rows<A, C> y) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(25. * x.n * C, 4. * sizeof(A) * x.n * C);
  } else {
    Activation<D>::template forward<Act>(dev, b.data, x, y);
  }
}

/// y[n,o] = act(sum_i x[n,i] w[o,i] + b[o])    where no backward will come: no slope is made
///
/// shapes    x [N,I], w [O,I], b [O], y [N,O]
template <class Act, class D, class A, class W, int I, int O>
void gemm_bias_act(const D& dev, Rows<const A, I> x, Factor<const W, O, I> w, Weight<const W, 1, O> b, Rows<A, O> y) {
  if constexpr (arranges<D>) {
    D::Gemm::arranged(
        dev, detail::constant(x), detail::constant(w), 1, erase(y), Write::assign,
        [b](Matrix<A> block, int column) { Activation<D>::template values<Act>(b.data + column, block); });
  } else {
    gemm(dev, x, w, y);
    if constexpr (std::is_same_v<D, device::Plan>) {
      dev.count(20. * y.n * O, 2. * sizeof(A) * y.n * O);
    } else {
      Activation<D>::template forward<Act>(dev, b.data, y);
    }
  }
}

/// dx[n,c] = dy[n,c] slope[n,c]                dx may be dy
template <class D, class A, int C>
void act_back(const D& dev, Rows<const A, C> dy, Rows<const A, C> slope, Rows<A, C> dx) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(1. * dy.n * C, 3. * sizeof(A) * dy.n * C);
  } else {
    Activation<D>::backward(dev, dy, slope, dx);
  }
}

}  // namespace entrain::kernel
