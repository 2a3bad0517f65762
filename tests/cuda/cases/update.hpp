// tests > cuda > [cases]
#pragma once
#include <vector>

#include "entrain/kernel/update/contract.hpp"
#include "entrain/optim/rules.hpp"

namespace entrain::test {

/// A step of an optimizer on a table of which some rows were touched, with the square sum of its gradient; rows that
/// were not touched get a gradient of 0, or wait and catch up (n rows of 7).
template <class Optimizer, bool Waits> struct UpdateCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using T = typename S::Sum;
    using Rule = typename Optimizer::template Rule<T>;
    constexpr int cols = 7, M = Optimizer::moments;
    const auto size = static_cast<std::size_t>(n) * cols;
    std::vector<std::uint32_t> stamps;
    for (const std::int32_t x : stage.whole_numbers(static_cast<std::size_t>(n), 3))
      stamps.push_back(static_cast<std::uint32_t>(4 + x));
    kernel::Stretch<T, M> numbers{stage.template random<T>(size), stage.template random<T>(size), {}, size};
    for (int m = 0; m < M; ++m) numbers.moment[m] = stage.template random<T>(size, 5);
    std::uint32_t* const done = stage.put(std::vector<std::uint32_t>(static_cast<std::size_t>(n), 4));
    const kernel::Touched touched{stage.put(stamps), 6, n, cols, Waits ? done : nullptr};
    optim::Knobs knobs;
    knobs.weight_decay = 0.1;
    const double squares = kernel::square_sum(stage.dev, numbers.gradient, size, touched);
    const double all = kernel::square_sum(stage.dev, numbers.gradient, size, {});
    kernel::update(stage.dev, Rule(knobs, 0.01, 6, true), numbers, T(0.5), touched);
    if (Waits) {
      std::vector<Rule> rules;
      for (std::uint32_t t = 0; t < 4; ++t) rules.emplace_back(knobs, 0.01 + 0.01 * t, t + 4, true);
      std::vector<std::int32_t> odd;
      for (std::int32_t row = 1; row < n; row += 2) odd.push_back(row);
      const kernel::Rules<Rule> latest{stage.put(rules), 4};
      kernel::catch_up(stage.dev, latest, numbers, cols, done, {stage.put(odd), 0, static_cast<int>(odd.size())}, 7);
      kernel::catch_up(stage.dev, latest, numbers, cols, done, {nullptr, n / 3, n - n / 3}, 7);
    }
    stage.result("values", numbers.value, size);
    for (int m = 0; m < M; ++m) stage.result("moment", numbers.moment[m], size);
    stage.result("done", done, static_cast<std::size_t>(n));
    stage.results.push_back({"squares", {squares, all}});
  }
};

}  // namespace entrain::test
