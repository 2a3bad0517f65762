// tests > [cuda]
//
// A case on the GPU against the same on the processor in double.
#pragma once
#include <doctest/doctest.h>

#include <initializer_list>

#include "entrain/device/cpu.hpp"
#include "tests/cuda/stage.hpp"

namespace entrain::test {

/// Every result within `tolerance`, by the ratio of norms, for the awkward numbers of rows.
template <class Case, class P>
void check_on_gpu(double tolerance, std::initializer_list<int> sizes = {0, 1, 2, 31, 33, 127, 129, 515}) {
  const device::Cpu<> oracle;
  for (const int rows : sizes) {
    const auto seed = static_cast<std::uint64_t>(rows) + 1;
    Stage<device::Cpu<>, precision::Fp64, typename P::Activation> stage(oracle, seed);
    Case::run(stage, rows);
    const Results found = on_gpu<Case, P>(rows, seed);
    REQUIRE(found.size() == stage.results.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      REQUIRE(found[i].values.size() == stage.results[i].values.size());
      const double off = distance(found[i].values, stage.results[i].values);
      CHECK_MESSAGE(off <= tolerance, found[i].name, ", ", rows, " rows: ", off);
    }
  }
}

inline void check_same(const Results& first, const Results& again) {
  REQUIRE(first.size() == again.size());
  for (std::size_t i = 0; i < first.size(); ++i) CHECK_MESSAGE(first[i].values == again[i].values, first[i].name);
}
/// The same bits again, though blocks run in another order.
template <class Case, class P> void check_same_bits_on_gpu(int rows) {
  check_same(on_gpu<Case, P>(rows, 1), on_gpu<Case, P>(rows, 1));
}

}  // namespace entrain::test
