// tests > [kernel]
//
// What every GEMM policy of the CPU device must do: the same tests for all.
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "entrain/kernel/gemm/cpu.hpp"
#include "tests/gradient.hpp"

namespace entrain::test {

template <class T> std::vector<T> gemm_noise(std::size_t n, std::uint64_t seed) {
  const auto v = noise(n, seed);
  return std::vector<T>(v.begin(), v.end());
}
/// What `Stored` keeps of each number.
template <class Stored, class T> std::vector<T> as_stored(std::vector<T> v) {
  for (T& x : v) x = static_cast<T>(static_cast<Stored>(x));
  return v;
}
/// The three products of a linear layer with I inputs and O outputs on n rows, against loops in double. The operands
/// are such that `Stored` keeps them whole.
template <int I, int O, class T, class Stored = T, class D> void check_gemm(const D& dev, int n, double tolerance) {
  const auto N = static_cast<std::size_t>(n);
  const auto x = as_stored<Stored>(gemm_noise<T>(N * I, 1)),
             w = as_stored<Stored>(gemm_noise<T>(std::size_t(I) * O, 2)),
             dy = as_stored<Stored>(gemm_noise<T>(N * O, 3));
  for (const Write how : {Write::assign, Write::add}) {
    auto y = gemm_noise<T>(N * O, 4), dx = gemm_noise<T>(N * I, 5), g = gemm_noise<T>(std::size_t(I) * O, 6);
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
/// The three products against loops, awkward sizes. Float: what the policy keeps of an fp32 operand.
template <class Policy, class Float = float> void check_products() {
  const device::Cpu<Policy> one(1), three(3);
  for (int n : {0, 1, 2, 127, 129, 512}) {
    if (SANITIZED && n > 129) break;
    check_gemm<1, 1, double>(one, n, 1e-14);
    check_gemm<7, 13, double>(one, n, 1e-14);
    check_gemm<96, 33, double>(three, n, 1e-14);
    check_gemm<7, 13, float, Float>(one, n, 1e-6);
    check_gemm<96, 288, float, Float>(three, n, 1e-6);
  }
  if (SANITIZED) return check_gemm<400, 5, float, Float>(three, 641, 1e-6);
  check_gemm<400, 50, float, Float>(three, 1100, 1e-6);
  for (int n : {639, 640, 1279, 1280})  // as many rows as one tile holds, or two
    check_gemm<400, 5, float, Float>(one, n, 1e-6);
}

/// Same bits for any number of threads.
template <class Policy> void check_threads() {
  constexpr int I = 288, O = 96, n = 777;
  const auto x = gemm_noise<float>(std::size_t(n) * I, 1), w = gemm_noise<float>(std::size_t(I) * O, 2),
             dy = gemm_noise<float>(std::size_t(n) * O, 3);
  std::vector<float> first;
  for (int threads : {1, 2, 3, 8}) {
    if (SANITIZED && threads == 2) continue;
    const device::Cpu<Policy> dev(threads);
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

/// How a policy rounds its operands to bf16.
template <class Policy> void check_rounding() {
  const auto one_product = [](float x, float w) {
    const device::Cpu<Policy> dev(1);
    float y = 0;
    kernel::gemm(dev, Rows<const float, 1>(&x, 1), Weight<const float, 1, 1>{&w}, Rows<float, 1>(&y, 1));
    return y;
  };
  CHECK(one_product(1.0f + 1.0f / 256, 1) == 1);                // halfway between 1 and 1 + 1/128
  CHECK(one_product(1.0f + 3.0f / 256, 1) == 1.0f + 1 / 64.f);  // halfway, the even one above
  CHECK(one_product(1, 1.0f + 1.1f / 256) == 1.0f + 1 / 128.f);
  CHECK(one_product(-3, 0.5f) == -1.5f);
  CHECK(std::isnan(one_product(std::numeric_limits<float>::quiet_NaN(), 1)));
  CHECK(one_product(std::numeric_limits<float>::infinity(), 2) == std::numeric_limits<float>::infinity());
}

}  // namespace entrain::test
