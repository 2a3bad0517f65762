// core > device, precision > tensor > [kernel] > layer
//
// Each row next to its neighbours, never across a sentence border.
#pragma once
#include <type_traits>

#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::kernel {

template <class D> struct Window : InTagger<D> {};

/// y[n] = x[n-R] ... x[n] ... x[n+R] in one row, zero where the neighbour belongs to another sentence
///
/// shapes    x [N,C], y [N,(2R+1)C]; geometry.neighbours tells which neighbours are in the sentence (R <= 3)
template <int R, class D, class A, int C>
void window(const Step<D>& at, Rows<const A, C> x, Rows<A, (2 * R + 1) * C> y) {
  static_assert(1 <= R && R <= 3, "entrain: a window has 1 to 3 rows on each side.");
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(0, sizeof(A) * (2. * R + 2) * x.n * C);
  } else {
    Window<D>::template forward<R>(at, x, y);
  }
}

/// dx[n] (+)= sum over k of dy[n-k], part k, for the neighbours in the sentence: the adjoint of `window`
template <int R, class D, class A, int C>
void window_back(const Step<D>& at, Rows<const A, (2 * R + 1) * C> dy, Rows<A, C> dx, Write how) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    at.dev.count(2. * R * dx.n * C, sizeof(A) * (2. * R + 2) * dx.n * C);
  } else {
    Window<D>::template backward<R>(at, dy, dx, how);
  }
}

}  // namespace entrain::kernel
