// tests > [kernel]
#include "entrain/kernel/softmax/cpu.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include "tests/gradient.hpp"

using namespace entrain;

namespace {
/// Scores of n rows and k labels whose padding is NaN.
template <class T> struct Scores {
  std::vector<T> numbers;
  LabelMatrix<T> view;
  Scores(int n, int k, std::uint64_t seed, double scale = 2)
      : numbers(static_cast<std::size_t>(n) * static_cast<std::size_t>(LabelMatrix<T>::padded(k)), T(NAN)),
        view(numbers.data(), n, k) {
    const auto v = test::noise(static_cast<std::size_t>(n) * static_cast<std::size_t>(k), seed, scale);
    for (int row = 0; row < n; ++row)
      for (int j = 0; j < k; ++j) view(row, j) = static_cast<T>(v[static_cast<std::size_t>(row * k + j)]);
  }
};
std::vector<std::int32_t> some_targets(int n, int k) {
  std::vector<std::int32_t> t;
  for (int i = 0; i < n; ++i) t.push_back(i % 10 == 3 ? -100 : i % 10 == 8 ? k : i * 7 % k);  // k is no label
  return t;
}
template <class T> struct Run {
  std::vector<T> d;
  T loss = T(NAN);
  std::size_t taken = 0;
};
template <class L = loss::CrossEntropy, class T, class D> Run<T> run(const D& dev, const Scores<T>& scores,
                                                                     const std::vector<std::int32_t>& targets,
                                                                     T scale = T(1), const LossKnobs& knobs = {}) {
  Run<T> r;
  r.d.assign(scores.numbers.size(), T(NAN));
  test::OwnedArena memory(1 << 20);
  const LabelMatrix<const T> view = scores.view;
  const Counters counters{.loss = knobs};
  const Step<D> at{dev, {view.n, 1, view.c}, {}, true, Write::assign, memory.arena, &counters};
  kernel::softmax_loss<L>(at, view, targets.data(), LabelMatrix<T>(r.d.data(), view.n, view.c), &r.loss, scale);
  r.taken = memory.arena.peak;
  return r;
}
}  // namespace

TEST_CASE("softmax: loss and gradient against plain sums, awkward shapes, NaN in the padding") {
  const device::Cpu<> dev(2);
  for (int n : {0, 1, 127, 129, 400})
    for (int k : {1, 2, 9, 16, 17, 33, 2001}) {
      const Scores<double> scores(n, k, 5);
      const auto targets = some_targets(n, k);
      const auto r = run(dev, scores, targets, 0.5);
      double loss = 0, worst = 0;
      for (int row = 0; row < n; ++row) {
        double sum = 0;
        for (int j = 0; j < k; ++j) sum += std::exp(scores.view(row, j));
        const auto target = targets[static_cast<std::size_t>(row)];
        const bool real = target >= 0 && target < k;
        if (real) loss += std::log(sum) - scores.view(row, target);
        for (int j = 0; j < k; ++j) {
          const double expected = !real ? 0 : 0.5 * (std::exp(scores.view(row, j)) / sum - (j == target));
          const double error = std::abs(r.d[static_cast<std::size_t>(row * scores.view.stride + j)] - expected);
          worst = !(error <= worst) ? error : worst;
        }
      }
      CAPTURE(n);
      CAPTURE(k);
      CHECK(r.loss == doctest::Approx(loss).epsilon(1e-12));
      CHECK(worst < 1e-14);
    }
}

TEST_CASE("softmax: scores far apart, and in place") {
  const device::Cpu<> dev(1);
  Scores<float> scores(3, 5, 1, 0);
  for (int j = 0; j < 5; ++j) {
    scores.view(0, j) = j == 2 ? 2000.f : -2000.f;
    scores.view(1, j) = j == 2 ? 2000.f : -2000.f;
    scores.view(2, j) = -2000.f;
  }
  const std::vector<std::int32_t> targets{2, 0, 7};  // 7 is no label: ignored
  const auto r = run(dev, scores, targets);
  CHECK(r.loss == 4000.f);
  const LabelMatrix<float> d(const_cast<float*>(r.d.data()), 3, 5);
  CHECK(d(0, 2) == 0.f);
  CHECK(d(1, 0) == -1.f);
  CHECK(d(1, 2) == 1.f);
  CHECK(d(2, 0) == 0.f);
  const LabelMatrix<const float> before = scores.view;
  test::OwnedArena memory(1 << 10);
  const Counters counters;
  const Step<device::Cpu<>> at{dev, {3, 1, 5}, {}, true, Write::assign, memory.arena, &counters};
  float again = NAN;
  kernel::softmax_loss(at, before, targets.data(), scores.view, &again);
  CHECK(again == r.loss);
  for (int row = 0; row < 3; ++row)
    for (int j = 0; j < 5; ++j) CHECK(scores.view(row, j) == d(row, j));
}

TEST_CASE("softmax: weighed, smoothed and focal losses by their formulas, gradients by differences") {
  const device::Cpu<> dev(2);
  for (int n : {1, 129})
    for (int k : {1, 2, 9, 17, 33}) {
      Scores<double> scores(n, k, 5);
      const auto targets = some_targets(n, k);
      std::vector<float> weights;
      for (int j = 0; j < k; ++j) weights.push_back(0.25f * static_cast<float>(j % 5));
      const LossKnobs knobs{.label_smoothing_factor = 0.125f, .focal_gamma = 1.5f, .class_weights = weights.data()};
      const auto check = [&]<class L>(L, auto&& of_row) {
        CAPTURE(L::name);
        CAPTURE(k);
        double loss = 0;
        for (int row = 0; row < n; ++row) {
          const std::int32_t y = targets[static_cast<std::size_t>(row)];
          if (y < 0 || y >= k) continue;
          double sum = 0, mean = 0;
          for (int j = 0; j < k; ++j) sum += std::exp(scores.view(row, j));
          for (int j = 0; j < k; ++j) mean += (scores.view(row, j) - std::log(sum)) / k;
          loss += static_cast<double>(weights[static_cast<std::size_t>(y)]) *
                  of_row(scores.view(row, y) - std::log(sum), mean);
        }
        const auto r = run<L>(dev, scores, targets, 1.0, knobs);
        CHECK(r.loss == doctest::Approx(loss).epsilon(1e-12));
        const LabelMatrix<double> d(const_cast<double*>(r.d.data()), n, k);
        for (int row = 0; row < n; row += SANITIZED ? 70 : 7)
          for (int j = 0; j < k; j += SANITIZED ? 16 : 2) {
            const double keep = scores.view(row, j);
            scores.view(row, j) = keep + 1e-5;
            const double up = run<L>(dev, scores, targets, 1.0, knobs).loss;
            scores.view(row, j) = keep - 1e-5;
            const double down = run<L>(dev, scores, targets, 1.0, knobs).loss;
            scores.view(row, j) = keep;
            CHECK(std::abs((up - down) / 2e-5 - d(row, j)) < 1e-6);
          }
      };
      check(loss::CrossEntropy{}, [](double log_p, double) { return -log_p; });
      check(loss::Smoothed{}, [](double log_p, double mean) { return -0.875 * log_p - 0.125 * mean; });
      check(loss::Focal{}, [](double log_p, double) { return -std::pow(1 - std::exp(log_p), 1.5) * log_p; });
    }
}

TEST_CASE("loss: a focal row that is right already counts for nothing, and nothing breaks") {
  for (const float gamma : {0.f, 0.5f, 2.f}) {
    const LossKnobs knobs{.focal_gamma = gamma};
    const auto certain = loss::Focal::at(0.0, knobs);
    CHECK(certain.value == 0);
    CHECK(certain.slope == (gamma == 0 ? 1 : 0));
    const auto wrong = loss::Focal::at(-800.0, knobs);  // p is 0
    CHECK(wrong.value == doctest::Approx(800));
    CHECK(wrong.slope == doctest::Approx(1));
  }
  const auto plain = loss::Focal::at(-0.7, {.focal_gamma = 0});
  CHECK(plain.value == doctest::Approx(0.7));
  CHECK(plain.slope == doctest::Approx(1));
}

TEST_CASE("softmax: a score that is NaN makes the loss NaN") {
  const device::Cpu<> dev(1);
  for (int column : {0, 8, 9}) {
    Scores<float> scores(4, 10, 1);
    scores.view(1, column) = NAN;
    CHECK(std::isnan(run(dev, scores, {1, 2, 3, 4}).loss));
  }
}

TEST_CASE("softmax: same bits for any number of threads, planned bytes are taken") {
  const Scores<float> scores(1000, 33, 3);
  const auto targets = some_targets(1000, 33);
  const auto first = run(device::Cpu<>(1), scores, targets);
  for (int threads : {2, 3}) {
    const auto r = run(device::Cpu<>(threads), scores, targets);
    CHECK(std::memcmp(&r.loss, &first.loss, sizeof(float)) == 0);
    for (int row = 0; row < 1000; ++row)
      CHECK(std::memcmp(&r.d[static_cast<std::size_t>(row * 48)], &first.d[static_cast<std::size_t>(row * 48)],
                        33 * sizeof(float)) == 0);
  }
  Arena empty;
  device::Plan plan;
  const Step<device::Plan> at{plan, {1000, 1, 33}, {}, true, Write::assign, empty};
  kernel::softmax_loss(at, LabelMatrix<const float>(nullptr, 1000, 33), nullptr, LabelMatrix<float>(nullptr, 1000, 33),
                       static_cast<float*>(nullptr));
  CHECK(empty.peak == first.taken);
  CHECK(plan.ops == 1);
  CHECK(plan.flops == 8. * 1000 * 33);
}

TEST_CASE("softmax: argmax takes the first of the largest, and 0 where nothing is a number") {
  const device::Cpu<> dev(2);
  Scores<double> scores(300, 12, 9);
  for (int j = 0; j < 12; ++j) {
    scores.view(7, j) = j == 4 || j == 9 ? 3 : 1;
    scores.view(8, j) = NAN;
    scores.view(9, j) = j == 5 ? -5 : NAN;
  }
  for (int row = 20; row < 300; ++row) scores.view.row_at(row)[12] = 1e9;  // after the last label
  std::vector<std::int32_t> best(300, -1);
  kernel::argmax_rows(dev, LabelMatrix<const double>(scores.view), best.data());
  CHECK(best[7] == 4);
  CHECK(best[8] == 0);
  CHECK(best[9] == 5);
  for (int row = 10; row < 300; ++row) {
    CHECK(best[static_cast<std::size_t>(row)] < 12);
    for (int j = 0; j < 12; ++j) CHECK(scores.view(row, j) <= scores.view(row, best[static_cast<std::size_t>(row)]));
  }
  device::Plan plan;
  kernel::argmax_rows(plan, LabelMatrix<const double>(nullptr, 300, 12), nullptr);
  CHECK(plan.flops == 3600);
}
