// tests > [kernel]
#include <doctest/doctest.h>

#include <chrono>
#include <cstring>

#include "entrain/kernel/gemm/cpu.hpp"
#include "tests/gradient.hpp"

using namespace entrain;

namespace {
template <class T> std::vector<T> random(std::size_t n, std::uint64_t seed) {
  const auto v = test::noise(n, seed);
  return std::vector<T>(v.begin(), v.end());
}
/// The three products of a linear layer with I inputs and O outputs on n rows, against loops in double.
template <int I, int O, class T, class D> void check(const D& dev, int n, double tolerance) {
  const auto N = static_cast<std::size_t>(n);
  const auto x = random<T>(N * I, 1), w = random<T>(std::size_t(I) * O, 2), dy = random<T>(N * O, 3);
  for (const Write how : {Write::assign, Write::add}) {
    auto y = random<T>(N * O, 4), dx = random<T>(N * I, 5), g = random<T>(std::size_t(I) * O, 6);
    const auto y0 = y, dx0 = dx, g0 = g;
    kernel::gemm(dev, Rows<const T, I>(x.data(), n), Weight<const T, O, I>{w.data()}, Rows<T, O>(y.data(), n), how);
    kernel::gemm_dx(dev, Rows<const T, O>(dy.data(), n), Weight<const T, O, I>{w.data()}, Rows<T, I>(dx.data(), n),
                    how);
    kernel::gemm_dw(dev, Rows<const T, O>(dy.data(), n), Rows<const T, I>(x.data(), n), Weight<T, O, I>{g.data()}, how);
    const double keep = how == Write::add ? 1 : 0;
    double worst = 0;
    const auto see = [&](T found, double sum, double norm) {
      const double e = std::abs(static_cast<double>(found) - sum) / (1 + norm);
      worst = !(e <= worst) ? e : worst;
    };
    for (std::size_t r = 0; r < N; ++r)
      for (std::size_t o = 0; o < O; ++o) {
        double sum = keep * static_cast<double>(y0[r * O + o]), norm = 0;
        for (std::size_t i = 0; i < I; ++i) {
          sum += static_cast<double>(x[r * I + i]) * static_cast<double>(w[o * I + i]);
          norm += std::abs(static_cast<double>(x[r * I + i]) * static_cast<double>(w[o * I + i]));
        }
        see(y[r * O + o], sum, norm);
      }
    for (std::size_t r = 0; r < N; ++r)
      for (std::size_t i = 0; i < I; ++i) {
        double sum = keep * static_cast<double>(dx0[r * I + i]), norm = 0;
        for (std::size_t o = 0; o < O; ++o) {
          sum += static_cast<double>(dy[r * O + o]) * static_cast<double>(w[o * I + i]);
          norm += std::abs(static_cast<double>(dy[r * O + o]) * static_cast<double>(w[o * I + i]));
        }
        see(dx[r * I + i], sum, norm);
      }
    for (std::size_t o = 0; o < O; ++o)
      for (std::size_t i = 0; i < I; ++i) {
        double sum = keep * static_cast<double>(g0[o * I + i]), norm = 0;
        for (std::size_t r = 0; r < N; ++r) {
          sum += static_cast<double>(dy[r * O + o]) * static_cast<double>(x[r * I + i]);
          norm += std::abs(static_cast<double>(dy[r * O + o]) * static_cast<double>(x[r * I + i]));
        }
        see(g[o * I + i], sum, norm);
      }
    CHECK_MESSAGE(worst < tolerance, "rows ", n, " in ", I, " out ", O);
  }
}
}  // namespace

TEST_CASE("gemm: the three products against loops, awkward sizes") {
  const device::Cpu<> one(1), three(3);
  for (int n : {0, 1, 2, 127, 129, 512}) {
    check<1, 1, double>(one, n, 1e-14);
    check<7, 13, double>(one, n, 1e-14);
    check<96, 33, double>(three, n, 1e-14);
    check<7, 13, float>(one, n, 1e-6);
    check<96, 288, float>(three, n, 1e-6);
  }
  check<400, 50, float>(three, 1100, 1e-6);
}

TEST_CASE("gemm: same bits for any number of threads") {
  constexpr int I = 288, O = 96, n = 777;
  const auto x = random<float>(std::size_t(n) * I, 1), w = random<float>(std::size_t(I) * O, 2),
             dy = random<float>(std::size_t(n) * O, 3);
  std::vector<float> first;
  for (int threads : {1, 2, 3, 8}) {
    const device::Cpu<> dev(threads);
    std::vector<float> out(std::size_t(n) * O + std::size_t(n) * I + std::size_t(I) * O);
    float* y = out.data();
    float* dx = y + std::size_t(n) * O;
    float* g = dx + std::size_t(n) * I;
    kernel::gemm(dev, Rows<const float, I>(x.data(), n), Weight<const float, O, I>{w.data()}, Rows<float, O>(y, n));
    kernel::gemm_dx(dev, Rows<const float, O>(dy.data(), n), Weight<const float, O, I>{w.data()}, Rows<float, I>(dx, n),
                    Write::assign);
    kernel::gemm_dw(dev, Rows<const float, O>(dy.data(), n), Rows<const float, I>(x.data(), n), Weight<float, O, I>{g},
                    Write::assign);
    if (first.empty()) first = out;
    CHECK(std::memcmp(first.data(), out.data(), out.size() * 4) == 0);
  }
}

TEST_CASE("gemm: labels are a run-time width, and padding between rows stays untouched") {
  constexpr int C = 24, n = 130, K = 33;
  const device::Cpu<> dev(2);
  const auto x = random<double>(std::size_t(n) * C, 1), w = random<double>(std::size_t(K) * C, 2);
  std::vector<double> y(std::size_t(n) * 48, 7.0);
  const Wide<double> wide(y.data(), n, K);
  CHECK(wide.stride == 48);
  kernel::gemm(dev, Rows<const double, C>(x.data(), n), Weight<const double, by_label, C>{w.data(), K}, wide);
  for (int r = 0; r < n; ++r) {
    double sum = 0;
    for (int i = 0; i < C; ++i) sum += x[std::size_t(r * C + i)] * w[std::size_t(32 * C + i)];
    CHECK(wide(r, 32) == doctest::Approx(sum));
    CHECK(wide.row_at(r)[33] == 7.0);
  }
}

TEST_CASE("gemm: the plan counts") {
  device::Plan plan;
  kernel::gemm(plan, Rows<const float, 4>(nullptr, 10), Weight<const float, 3, 4>{}, Rows<float, 3>(nullptr, 10));
  CHECK(plan.flops == 2 * 10 * 3 * 4);
  CHECK(plan.bytes == 4 * (10 * 4 + 12 + 30));
  CHECK(plan.verbs == 1);
}
