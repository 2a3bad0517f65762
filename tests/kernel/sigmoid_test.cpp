// tests > [kernel]
#include "entrain/kernel/sigmoid/cpu.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/gradient.hpp"

namespace sigmoid_test {
using namespace entrain;
using Set = LabelSet<64>;

namespace {
struct Problem {
  int n, k;
  std::vector<double> numbers;
  LabelMatrix<double> scores;
  std::vector<Set> targets;
  std::vector<float> weights;
  Problem(int n_, int k_)
      : n(n_),
        k(k_),
        numbers(static_cast<std::size_t>(n) * static_cast<std::size_t>(LabelMatrix<double>::padded(k)), NAN),
        scores(numbers.data(), n, k) {
    const auto v = test::noise(static_cast<std::size_t>(n * k), 5, 3);
    for (int i = 0; i < n * k; ++i) scores(i / k, i % k) = v[static_cast<std::size_t>(i)];
    for (int i = 0; i < n; ++i) {
      targets.push_back(i % 5 == 2 ? Set::no_target() : Set::none());
      for (int j = i % 3; i % 5 != 2 && j < k; j += 2 + i % 4) targets.back().add(j);
    }
    for (int j = 0; j < k; ++j) weights.push_back(0.5f + 0.25f * static_cast<float>(j % 5));
  }
  template <class L> double run(std::vector<double>& d, const LossKnobs& knobs = {}, int threads = 2) const {
    const device::Cpu<> dev(threads);
    test::OwnedArena memory(1 << 20);
    const Counters counters{.loss = knobs};
    const Step<device::Cpu<>> at{dev, {n, n, k}, {}, true, Write::assign, memory.arena, &counters};
    d.assign(numbers.size(), NAN);
    double loss = NAN;
    kernel::sigmoid_loss<L>(at, LabelMatrix<const double>(scores), targets.data(), LabelMatrix<double>(d.data(), n, k),
                            &loss);
    return loss;
  }
};
}  // namespace

TEST_CASE("sigmoid: the loss by its formula, the gradient by differences; weighted, smoothed, focal") {
  for (int n : {0, 1, 127, 129})
    for (int k : {1, 9, 33, 64}) {
      Problem p(n, k);
      const LossKnobs knobs{.label_smoothing_factor = 0.125f, .focal_gamma = 1.5f, .class_weights = p.weights.data()};
      const auto check = [&]<class L>(L, auto&& term) {
        CAPTURE(L::name);
        CAPTURE(n);
        CAPTURE(k);
        std::vector<double> d, other;
        const double loss = p.run<L>(d, knobs);
        double expected = 0;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < k && is_target(p.targets[static_cast<std::size_t>(i)]); ++j) {
            const double q = 1 / (1 + std::exp(-p.scores(i, j)));
            expected += static_cast<double>(p.weights[static_cast<std::size_t>(j)]) *
                        term(q, p.targets[static_cast<std::size_t>(i)].has(j)) / k;
          }
        CHECK(loss == doctest::Approx(expected).epsilon(1e-12));
        CHECK(p.run<L>(other, knobs, 1) == loss);
        for (int i = 0; i < n; i += 1 + n / (SANITIZED ? 2 : 20))
          for (int j = 0; j < k; j += 1 + k / (SANITIZED ? 2 : 7)) {
            double& score = p.scores(i, j);
            const double before = score;
            score = before + 1e-5;
            const double up = p.run<L>(other, knobs);
            score = before - 1e-5;
            const double down = p.run<L>(other, knobs);
            score = before;
            const double slope = d[static_cast<std::size_t>(i * p.scores.stride + j)];
            CHECK(slope == doctest::Approx((up - down) / 2e-5).epsilon(1e-6));
          }
      };
      check(loss::CrossEntropy(), [](double q, bool is) { return -std::log(is ? q : 1 - q); });
      check(loss::Smoothed(), [](double q, bool is) {
        const double t = is ? 1 - 0.0625 : 0.0625;
        return -t * std::log(q) - (1 - t) * std::log(1 - q);
      });
      check(loss::Focal(), [](double q, bool is) {
        const double right = is ? q : 1 - q;
        return -std::pow(1 - right, 1.5) * std::log(right);
      });
    }
}

TEST_CASE("sigmoid: scores far from 0, rows without a target, and the empty set") {
  Problem p(3, 2);
  p.scores(0, 0) = 1000, p.scores(0, 1) = -1000;
  p.scores(1, 0) = 1000, p.scores(1, 1) = -1000;
  p.targets = {Set::none(), Set::none(), Set::no_target()};
  p.targets[0].add(0);
  p.targets[1].add(1);
  std::vector<double> d;
  CHECK(p.run<loss::CrossEntropy>(d) == 1000);
  const LabelMatrix<const double> slopes(d.data(), 3, 2);
  CHECK(slopes(0, 0) == 0);
  CHECK(slopes(0, 1) == 0);
  CHECK(slopes(1, 0) == 0.5);
  CHECK(slopes(1, 1) == -0.5);
  CHECK(slopes(2, 0) == 0);
  CHECK(slopes(2, 1) == 0);
  std::vector<float> probability(6, NAN);
  kernel::sigmoid_rows(device::Cpu<>(1), LabelMatrix<const double>(p.scores), probability.data());
  CHECK(probability[0] == 1);
  CHECK(probability[1] == 0);
  CHECK(probability[4] == doctest::Approx(1 / (1 + std::exp(-p.scores(2, 0)))));
  CHECK(!is_target(Set::no_target()));
  CHECK(is_target(Set::none()));
}

}  // namespace sigmoid_test
