// core > device, precision > tensor > [kernel] > layer
//
// Passes over the flat buffers: the sum of squares of a gradient, and one optimizer step. They see stretches of
// numbers, never a layer.
#pragma once
#include <cstddef>
#include <cstdint>

#include "entrain/device/plan.hpp"

namespace entrain::kernel {

/// Which rows of a table's gradient this step wrote: those whose stamp is `now`. Without stamps: all.
struct Touched {
  const std::uint32_t* stamp = nullptr;
  std::uint32_t now = 0;
  int rows = 1;
  std::size_t cols = 0;
};

/// A stretch of the flat buffers: value, gradient and moments of the same parameters.
template <class T, int Moments> struct Stretch {
  T* value;
  const T* gradient;
  T* moment[Moments > 0 ? Moments : 1];
  std::size_t size;
};

template <class D> struct Update;

/// sum of g[i]^2 in double, in an order that depends on the size only; rows that were not touched count as 0
template <class D, class T> double square_sum(const D& dev, const T* g, std::size_t size, Touched touched) {
  return Update<D>::square_sum(dev, g, size, touched);
}

/// rule(value, moments, gradient * scale) for every number; rows that were not touched have gradient 0
///
/// Rule      `template <class S> void operator()(S& value, S (&moment)[M], S gradient) const`, S a number or a pack
template <class D, class Rule, class T, int Moments>
void update(const D& dev, const Rule& rule, Stretch<T, Moments> numbers, T scale, Touched touched) {
  Update<D>::run(dev, rule, numbers, scale, touched);
}

}  // namespace entrain::kernel
