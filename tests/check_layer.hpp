// tests: what must hold of every layer. Read gradient.hpp first.
#pragma once
#include <doctest/doctest.h>

#include <vector>

#include "entrain/device/cpu.hpp"
#include "tests/gradient.hpp"

namespace entrain::test {

/// What holds of every layer: gradients near differences, every number written and none beyond the batch,
/// Write::add adds, planned bytes taken.
template <class Layer, Needs needs = Needs{true, true}, class D>
GradientReport checked(const D& dev, const std::vector<int>& lengths, double tolerance = 1e-7,
                       GradientOptions<D> options = {}) {
  const auto report = check_gradients<Layer, needs>(dev, Sentences(lengths), options);
  CHECK_MESSAGE(report.worst < tolerance, report.text);
  CHECK_MESSAGE(!report.unwritten, report.text);
  CHECK(report.adds);
  CHECK(!report.beyond);
  CHECK(report.planned == report.taken);
  return report;
}

/// The same on every shape, on one thread and on three; and a layer whose input needs no gradient writes none.
/// most      numbers of each kind whose differences are taken; most_of_long: where more than 100 rows make them slow
template <class Layer, Needs needs = Needs{true, true}>
void check_shapes(const std::vector<std::vector<int>>& shapes, double tolerance, unsigned most, unsigned most_of_long) {
  for (int threads : {1, 3}) {
    const device::Cpu<> dev(threads);
    for (const auto& lengths : shapes)
      checked<Layer, needs>(dev, lengths, tolerance, {.most = Sentences(lengths).rows() > 100 ? most_of_long : most});
  }
  CHECK(leaves_input<Layer>(device::Cpu<>(1), Sentences({3, 1, 4})));
}

}  // namespace entrain::test
