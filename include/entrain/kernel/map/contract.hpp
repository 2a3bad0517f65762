// core > device, precision > tensor > [kernel] > layer
//
// Element-wise ops: the result for an element does not depend on its neighbours.
#pragma once
#include <cstddef>
#include <type_traits>

#include "entrain/device/plan.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::kernel {

template <class D> struct Map : InTagger<D> {};

/// y = x
template <class D, class A, int C> void copy(const D& dev, Rows<const A, C> x, Rows<A, C> y) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(0, 2. * sizeof(A) * x.n * C);
  } else {
    Map<D>::copy(dev, x, y);
  }
}
/// y += x
template <class D, class A, int C> void add(const D& dev, Rows<const A, C> x, Rows<A, C> y) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(1. * x.n * C, 3. * sizeof(A) * x.n * C);
  } else {
    Map<D>::add(dev, x, y);
  }
}

/// y = x converted to the type of y, for `count` contiguous numbers
template <class D, class From, class To> void convert(const D& dev, const From* x, To* y, std::size_t count) {
  if constexpr (std::is_same_v<D, device::Plan>) {
    dev.count(0, static_cast<double>(sizeof(From) + sizeof(To)) * static_cast<double>(count));
  } else {
    Map<D>::convert(dev, x, y, count);
  }
}

}  // namespace entrain::kernel
