// core > device, precision > tensor > [kernel] > layer
//
// Rows selected by index, and the adjoint: rows added to their source rows, one segment at a time, without atomics.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/core/contract.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/csr_index.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::kernel {

template <class D> struct Gather : InTagger<D> {};

/// y[n] = x[index[n]]                           x [U,C], y [N,C]
template <class D, class A, int C>
void gather(const D& dev, Rows<const A, C> x, const std::int32_t* index, Rows<A, C> y) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(0, 2. * sizeof(A) * y.n * C + 4. * y.n);
  } else {
    Gather<D>::forward(dev, x, index, y);
  }
}

/// dx[u] = dy[from[u]], zero where from[u] < 0: the adjoint of a gather that picks no row twice     dx [U,C], dy [N,C]
template <class D, class A, int C>
void gather_back(const D& dev, Rows<const A, C> dy, const std::int32_t* from, Rows<A, C> dx) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(0, 2. * sizeof(A) * dx.n * C + 4. * dx.n);
  } else {
    Gather<D>::spread(dev, dy, from, dx);
  }
}

/// dx[ids[s]] = sum of dy[n] over the items n of segment s; rows without items are not written
template <class D, class A, int C>
void scatter_add(const D& dev, Rows<const A, C> dy, CsrIndex segments, Rows<A, C> dx) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(1. * dy.n * C, 2. * sizeof(A) * dy.n * C);
  } else {
    Gather<D>::backward(dev, dy, segments, dx);
  }
}

}  // namespace entrain::kernel
