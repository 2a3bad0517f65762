// core > device, precision > tensor > [kernel] > layer
//
// Gated linear units: one half of a product goes through an activation function and multiplies the other half.
#pragma once
#include <type_traits>

#include "entrain/core/activation.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::kernel {

/// The implementation of the ops below for a device: kernel/gated/cpu.hpp, kernel/gated/cuda.cuh.
template <class D> struct Gated : InTransformer<D> {};

/// y[n,i] = act(u[n,i]) u[n,I+i]
///
/// shapes    u [N,2I], y [N,I]
/// saves     the caller keeps u
/// source    Shazeer 2020, arXiv:2002.05202, section 2; with act::Gelu: GEGLU
template <class Act, class D, class A, int I2, int I> void gated_act(const D& dev, Rows<const A, I2> u, Rows<A, I> y) {
  static_assert(I2 == 2 * I);
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(20. * y.n * I, 3. * sizeof(A) * y.n * I);
  } else {
    Gated<D>::template forward<Act>(dev, u, y);
  }
}

/// du[n,i] = dy[n,i] u[n,I+i] act'(u[n,i]);   du[n,I+i] = dy[n,i] act(u[n,i])
///
/// shapes    dy [N,I]; u, du [N,2I]; du is assigned and may be u
template <class Act, class D, class A, int I2, int I>
void gated_act_back(const D& dev, Rows<const A, I> dy, Rows<const A, I2> u, Rows<A, I2> du) {
  static_assert(I2 == 2 * I);
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(25. * dy.n * I, 5. * sizeof(A) * dy.n * I);
  } else {
    Gated<D>::template backward<Act>(dev, dy, u, du);
  }
}

}  // namespace entrain::kernel
