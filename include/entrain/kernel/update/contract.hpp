// core > device, precision > tensor > [kernel] > layer
//
// Passes over the flat buffers: the sum of squares of a gradient, one optimizer step, and the steps that rows of a
// table wait for. They see stretches of numbers, never a layer.
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
  std::uint32_t* done = nullptr;  // if given, the other rows wait: the steps that a row has had; see catch_up
};

/// A stretch of the flat buffers: value, gradient and moments of the same parameters.
template <class T, int Moments> struct Stretch {
  T* value;
  const T* gradient;
  T* moment[Moments > 0 ? Moments : 1];
  std::size_t size;
};

/// The rules of the latest steps: that of step t at t % memory.
template <class Rule> struct Rules {
  const Rule* rule;
  std::uint32_t memory;
};

/// Rows of a table: ids[0..count), or without ids first, first + 1, ... first + count - 1.
struct RowList {
  const std::int32_t* ids = nullptr;
  int first = 0;
  int count = 0;
};

template <class D> struct Update;

/// sum of g[i]^2 in double, in an order that depends on the size only; rows that were not touched count as 0
template <class D, class T> double square_sum(const D& dev, const T* g, std::size_t size, Touched touched) {
  return Update<D>::square_sum(dev, g, size, touched);
}

/// rule(value, moments, gradient * scale) for every number; rows that were not touched have gradient 0, or wait
///
/// Rule      `template <class S> void operator()(S& value, S (&moment)[M], S gradient) const`, S a number or a pack
template <class D, class Rule, class T, int Moments>
void update(const D& dev, const Rule& rule, Stretch<T, Moments> numbers, T scale, Touched touched) {
  Update<D>::run(dev, rule, numbers, scale, touched);
}

/// The rows listed get the steps that they wait for, done[row] + 1 to `upto`, each with gradient 0; after it done[row]
/// is at least `upto`. A row of a table has `cols` numbers. Same bits as if no row had waited.
template <class D, class Rule, class T, int Moments>
void catch_up(const D& dev, Rules<Rule> rules, Stretch<T, Moments> table, std::size_t cols, std::uint32_t* done,
              RowList rows, std::uint32_t upto) {
  Update<D>::catch_up(dev, rules, table, cols, done, rows, upto);
}

}  // namespace entrain::kernel
