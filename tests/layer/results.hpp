// tests > [layer]: the result of a net in fp64.
#pragma once
#include <cstddef>
#include <vector>

#include "tests/check_layer.hpp"

namespace entrain::test {

/// y of a net with these numbers as its parameters, in evaluation.
template <class Net> std::vector<double> results(const std::vector<double>& numbers, const Sentences& sentences,
                                                 const std::vector<double>& x) {
  using Dev = device::Cpu<>;
  using Made = Impl<Net, precision::Fp64, Dev>;
  const Dev dev(1);
  const auto w = bind<Net, const double>(numbers.data(), 0);
  OwnedArena memory(1 << 20);
  const Counters counters{};
  const Step<Dev> at{dev, sentences.shape(0), sentences.geometry(), false, Write::assign, memory.arena, &counters};
  auto saved = Made::allocate_saved(memory.arena, at.shape);
  std::vector<double> y(x.size());
  Made::forward(at, w, {x.data(), sentences.rows()}, {y.data(), sentences.rows()}, saved);
  return y;
}

}  // namespace entrain::test
