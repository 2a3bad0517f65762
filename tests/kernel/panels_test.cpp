// tests > [kernel]
//
// Products with arranged factors against those of rows as they are stored, and what is done after them.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "entrain/kernel/activation/cpu.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/gemm/amx.hpp"
#include "entrain/kernel/gemm/bf16.hpp"
#include "entrain/kernel/gemm/panels.hpp"
#include "tests/kernel/gemm_checks.hpp"

using namespace entrain;
using Panels = device::Cpu<kernel::PanelGemm>;
using test::gemm_noise;

namespace {

template <class T> double farthest(const std::vector<T>& a, const std::vector<T>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double off = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    worst = !(off <= worst) ? off : worst;
  }
  return worst;
}

/// Stored: what the policy keeps of an operand.
template <int I, int O, class T, class Policy = kernel::PanelGemm, class Stored = T>
void check_panels(int n, double tolerance) {
  const device::Cpu<> plain;
  const device::Cpu<Policy> one(1), three(3);
  const auto N = static_cast<std::size_t>(n);
  const auto x = test::as_stored<Stored>(gemm_noise<T>(N * I, 1)),
             w = test::as_stored<Stored>(gemm_noise<T>(std::size_t(I) * O, 2)), b = gemm_noise<T>(O, 3);
  auto factor = w;
  Policy::arrange(factor.data(), O, I);
  const Rows<const T, I> rows(x.data(), n);
  const MatmulWeight<const T, O, I> as_it_stands{w.data()}, arranged{factor.data()};
  CAPTURE(I);
  CAPTURE(O);
  CAPTURE(n);
  for (const Write how : {Write::assign, Write::add}) {
    auto expected = gemm_noise<T>(N * O, 4), found = expected, again = expected;
    kernel::gemm(plain, rows, as_it_stands, Rows<T, O>(expected.data(), n), how);
    kernel::gemm(one, rows, arranged, Rows<T, O>(found.data(), n), how);
    kernel::gemm(three, rows, arranged, Rows<T, O>(again.data(), n), how);
    CHECK(farthest(found, expected) < tolerance);
    CHECK(found == again);
  }
  std::vector<T> slope(N * O, T(9)), value = slope, found = slope, apart = slope;
  const Weight<const T, 1, O> bias{b.data()};
  kernel::gemm(plain, rows, as_it_stands, Rows<T, O>(slope.data(), n));
  kernel::bias_act<act::Gelu>(plain, bias, Rows<T, O>(slope.data(), n), Rows<T, O>(value.data(), n));
  kernel::gemm_bias_act<act::Gelu>(three, rows, arranged, bias, Rows<T, O>(found.data(), n));
  kernel::gemm_bias_act<act::Gelu>(plain, rows, as_it_stands, bias, Rows<T, O>(apart.data(), n));
  CHECK(farthest(found, value) < tolerance);
  CHECK(farthest(apart, value) < tolerance);
}

/// Stacked factors with O outputs each.
template <int I, int O, class Policy, class Stored, int Factors = 3> void check_factors(int n) {
  constexpr int all = Factors * O;
  const device::Cpu<Policy> dev(2);
  const auto x = test::as_stored<Stored>(gemm_noise<float>(std::size_t(n) * I, 1)),
             w = test::as_stored<Stored>(gemm_noise<float>(std::size_t(all) * I, 2));
  const auto b = gemm_noise<float>(all, 3);
  auto factors = w;
  for (int f = 0; f < Factors; ++f) Policy::arrange(factors.data() + f * O * I, O, I);
  std::vector<float> found(std::size_t(n) * all, 9.0f), expected = found;
  const Rows<const float, I> rows(x.data(), n);
  const Weight<const float, 1, all> bias{b.data()};
  kernel::gemm_bias(dev, rows, Weight<const float, all, I, Factors>{factors.data()}, bias,
                    Rows<float, all>(found.data(), n));
  kernel::gemm_bias(device::Cpu<>(), rows, Weight<const float, all, I, Factors>{w.data()}, bias,
                    Rows<float, all>(expected.data(), n));
  CHECK(farthest(found, expected) < 1e-4);
}

}  // namespace

TEST_CASE("panels: products and what follows them are those of plain rows, awkward sizes") {
  for (int n : {0, 1, 2, 5, 6, 7, 11, 12, 13, 25, 96, 97, 200}) {
    check_panels<1, 1, double>(n, 1e-12);
    check_panels<7, 13, double>(n, 1e-12);
    check_panels<33, 96, double>(n, 1e-12);
    check_panels<7, 31, float>(n, 1e-4);
    check_panels<96, 288, float>(n, 1e-4);
    check_panels<40, 150, float>(n, 1e-4);
  }
  for (int n : {1, 25, 200}) check_panels<400, 50, float>(n, 1e-4);  // three ranges of a panel
}

TEST_CASE("panels: factors one below the other are arranged each alone; a bias after them") {
  check_factors<40, 16, kernel::PanelGemm, float>(31);
}

TEST_CASE_TEMPLATE("bf16 panels: the same, of what bf16 keeps of the operands; fp64 and other widths are not rounded",
                   Policy, kernel::AmxPanelGemm, kernel::Bf16PanelGemm) {
  for (int n : {0, 1, 25, 31, 32, 33, 200}) {
    check_panels<32, 32, float, Policy, bf16>(n, 1e-4);
    check_panels<96, 288, float, Policy, bf16>(n, 1e-4);
    check_panels<40, 150, float, Policy>(n, 1e-4);
    check_panels<64, 48, float, Policy>(n, 1e-4);
    check_panels<96, 32, double, Policy>(n, 1e-12);
  }
  check_panels<1568, 64, float, Policy, bf16>(45, 1e-3);  // two ranges of the sum
  check_factors<64, 96, Policy, bf16>(31);
  check_factors<64, 96, Policy, bf16>(300);
  check_factors<64, 16, Policy, float, 2>(31);  // 32 outputs, but not of one factor
}

TEST_CASE_TEMPLATE("bf16 panels: a long sum has the bits of its ranges, one added to the other", Policy,
                   kernel::AmxPanelGemm, kernel::Bf16PanelGemm) {
  constexpr int range = kernel::detail::RowOfBlocks::depth, rest = 64, I = range + rest, O = 32, n = 45;
  const device::Cpu<Policy> dev(2);
  const auto x = gemm_noise<float>(std::size_t(n) * I, 1), w = gemm_noise<float>(std::size_t(O) * I, 2);
  std::vector<float> whole = w, first, last, found(std::size_t(n) * O), expected = found;
  for (std::size_t o = 0; o < O; ++o) {
    const auto row = w.begin() + static_cast<std::ptrdiff_t>(o * I);
    first.insert(first.end(), row, row + range), last.insert(last.end(), row + range, row + I);
  }
  Policy::arrange(whole.data(), O, I), Policy::arrange(first.data(), O, range), Policy::arrange(last.data(), O, rest);
  const auto product = [&](const float* a, const std::vector<float>& of, int inputs, std::vector<float>& to,
                           Write how) {
    Policy::arranged(dev, kernel::Matrix<const float>{a, n, inputs, I},
                     kernel::Matrix<const float>{of.data(), O, inputs, inputs}, 1,
                     kernel::Matrix<float>{to.data(), n, O, O}, how);
  };
  product(x.data(), whole, I, found, Write::assign);
  product(x.data(), first, range, expected, Write::assign);
  product(x.data() + range, last, rest, expected, Write::add);
  CHECK(found == expected);
}

TEST_CASE("panels: weights that are no factors are read as they are stored") {
  constexpr int I = 24, O = 48, n = 30;
  const Panels dev(2);
  const auto x = gemm_noise<double>(std::size_t(n) * I, 1), w = gemm_noise<double>(std::size_t(I) * O, 2);
  std::vector<double> found(std::size_t(n) * O), expected = found;
  kernel::gemm(dev, Rows<const double, I>(x.data(), n), Weight<const double, O, I>{w.data()},
               Rows<double, O>(found.data(), n));
  kernel::gemm(device::Cpu<>(), Rows<const double, I>(x.data(), n), Weight<const double, O, I>{w.data()},
               Rows<double, O>(expected.data(), n));
  CHECK(found == expected);
}

TEST_CASE_TEMPLATE("panels: a left operand by columns, whose sum is several ranges long", T, float, double) {
  constexpr int rows = 29, depth = 2 * kernel::detail::panel_depth + 5, stride = rows + 3;
  constexpr int width = kernel::detail::panel<T> - 1;
  const auto a = gemm_noise<T>(std::size_t(depth) * stride, 1), p = gemm_noise<T>(std::size_t(depth) * width, 2);
  std::vector<T> c(std::size_t(rows) * width, T(9)), expected(c.size());
  for (int i = 0; i < rows; ++i)
    for (int o = 0; o < width; ++o)
      for (int k = 0; k < depth; ++k)
        expected[std::size_t(i * width + o)] += a[std::size_t(k * stride + i)] * p[std::size_t(k * width + o)];
  kernel::detail::panel_product<kernel::detail::Lies::by_columns>(
      kernel::Matrix<const T>{a.data(), rows, depth, stride}, p.data(), kernel::Matrix<T>{c.data(), rows, width, width},
      Write::assign);
  CHECK(farthest(c, expected) < (std::is_same_v<T, float> ? 1e-4 : 1e-12));
}
