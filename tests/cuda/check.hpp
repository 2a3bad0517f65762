// tests > [cuda]
//
// A case on the GPU against the same on the CPU in double.
#pragma once
#include <doctest/doctest.h>

#include <initializer_list>

#include "entrain/device/cpu.hpp"
#include "tests/cuda/stage.hpp"

namespace entrain::test {

using Sizes = std::initializer_list<int>;
inline constexpr Sizes awkward_sizes = {0, 1, 2, 31, 33, 127, 129, 515};

/// How far results may be off; of those that are stored in 16 bits, what is right may first be rounded likewise.
struct Tolerance {
  constexpr Tolerance(double of_all) : narrow(of_all), other(of_all) {}
  constexpr Tolerance(double of_rounded, double of_other) : narrow(of_rounded), other(of_other), rounds(true) {}
  double narrow, other;
  bool rounds = false;
};

/// Every result within `tolerance`, by the ratio of norms, for the awkward numbers of rows.
template <class Case, class P> void check_on_gpu(Tolerance tolerance, Sizes sizes = awkward_sizes) {
  const device::Cpu<> oracle;
  for (const int rows : sizes) {
    const auto seed = static_cast<std::uint64_t>(rows) + 1;
    Stage<device::Cpu<>, precision::Fp64, typename P::Activation> stage(oracle, seed);
    Case::run(stage, rows);
    const Results found = on_gpu<Case, P>(rows, seed);
    REQUIRE(found.size() == stage.results.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      std::vector<double>& expected = stage.results[i].values;
      REQUIRE(found[i].values.size() == expected.size());
      if (found[i].narrow && tolerance.rounds)
        for (double& x : expected) x = static_cast<double>(stage.stored(static_cast<float>(x)));
      const double off = distance(found[i].values, expected);
      CHECK_MESSAGE(off <= (found[i].narrow ? tolerance.narrow : tolerance.other), P::name, ": ", found[i].name, ", ",
                    rows, " rows: ", off);
    }
  }
}

/// An op in fp32, and in each type of 16 bits that the GPU has. Inputs are numbers of that type already, and sums are
/// as near as in fp32. So what is stored in 16 bits is what is right, rounded, which in fp16 is off by 2^-11 of itself
/// at most, in bf16 by 2^-8. A number just between two numbers may become the other one. Half of that leaves room for
/// one such number in ten, and for no other way to round.
template <class Case> void check_in_all_precisions(double tolerance, Sizes sizes = awkward_sizes) {
  check_on_gpu<Case, precision::Fp32>(tolerance, sizes);
  check_on_gpu<Case, precision::Fp16Mixed>({0x1p-12, tolerance}, sizes);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
  check_on_gpu<Case, precision::Bf16Mixed>({0x1p-9, tolerance}, sizes);
#endif
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
