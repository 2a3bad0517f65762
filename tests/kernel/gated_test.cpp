// tests > [kernel]
//
// Gated linear units against their formulas, number by number; against differences; and transformers' numbers.
#include "entrain/kernel/gated/cpu.hpp"

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/kernel/framed.hpp"

using namespace entrain;
using test::Framed;
using test::framed_noise;

namespace {
using Cpu = device::Cpu<>;

/// The numbers of n rows; there may be more rows in u and dy, which must not be used.
template <class Act, int I, class T> Framed<T> forward(const Cpu& dev, const Framed<T>& u, int n) {
  Framed<T> y(static_cast<std::size_t>(n) * I);
  kernel::gated_act<Act>(dev, Rows<const T, 2 * I>(u.data(), n), Rows<T, I>(y.data(), n));
  return y;
}
template <class Act, int I, class T>
Framed<T> backward(const Cpu& dev, const Framed<T>& dy, const Framed<T>& u, int n) {
  Framed<T> du(static_cast<std::size_t>(n) * 2 * I);
  const Rows<const T, I> slopes(dy.data(), n);
  kernel::gated_act_back<Act>(dev, slopes, Rows<const T, 2 * I>(u.data(), n), Rows<T, 2 * I>(du.data(), n));
  Framed<T> in_place = u;
  const Rows<T, 2 * I> both(in_place.data(), n);
  kernel::gated_act_back<Act>(dev, slopes, Rows<const T, 2 * I>(both), both);
  CHECK(test::off(in_place, [&](std::size_t i) { return i < du.size() ? du[i] : u[i]; }) == 0);
  return du;
}

template <class Act, class T, int I> void against_formulas(const Cpu& dev, int n, double tolerance) {
  const auto N = static_cast<std::size_t>(n);
  const auto u = framed_noise<T>((N + 1) * 2 * I, 1), dy = framed_noise<T>((N + 1) * I, 2);
  const auto of = [&](std::size_t row, std::size_t i) { return static_cast<double>(u[row * 2 * I + i]); };
  CAPTURE(I);
  CAPTURE(n);
  CHECK(test::off(forward<Act, I>(dev, u, n),
                  [&](std::size_t i) { return Act::at(of(i / I, i % I)).value * of(i / I, I + i % I); }) < tolerance);
  CHECK(test::off(backward<Act, I>(dev, dy, u, n), [&](std::size_t i) {
          const std::size_t row = i / (2 * I), at = i % I;
          const auto point = Act::at(of(row, at));
          const double d = static_cast<double>(dy[row * I + at]);
          return i % (2 * I) < I ? d * of(row, I + at) * point.slope : d * point.value;
        }) < tolerance);
}

/// The gradient of sum(y * dy) against central differences.
template <class Act> void against_differences() {
  constexpr int I = 11, n = 3;
  const Cpu dev(1);
  const auto u = framed_noise<double>(n * 2 * I, 3), dy = framed_noise<double>(n * I, 4);
  const auto du = backward<Act, I>(dev, dy, u, n);
  const auto loss = [&](const Framed<double>& at) {
    const auto y = forward<Act, I>(dev, at, n);
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  const double step = 1e-5;
  for (std::size_t i = 0; i < u.size(); ++i) {
    Framed<double> up = u, down = u;
    up.data()[i] += step;
    down.data()[i] -= step;
    CHECK(std::abs((loss(up) - loss(down)) / (2 * step) - du[i]) < 1e-8);
  }
}

/// y and the gradient of u, of numbers that are in scripts/golden/modernbert.py too.
template <class Act> void against_transformers() {
  constexpr int n = 5, I = 7;
  std::ifstream file(std::string(ENTRAIN_SOURCE_DIR) + "/tests/kernel/golden/modernbert.txt");
  std::vector<double> expected;
  for (std::string line; expected.empty() && std::getline(file, line);) {
    std::istringstream words(line);
    if (std::string name; words >> name && name == Act::name)
      for (double v; words >> v;) expected.push_back(v);
  }
  REQUIRE(expected.size() == n * 3 * I);
  const auto numbers = [](int count, int first) {
    std::vector<double> v;
    for (int i = first; i < first + count; ++i) v.push_back(((i * 37 + i / 11) % 101 - 50) / 32.0);
    return Framed<double>(v);
  };
  const Cpu dev(1);
  const auto u = numbers(n * 2 * I, 0), dy = numbers(n * I, 5000);
  CHECK(test::off(forward<Act, I>(dev, u, n), [&](std::size_t i) { return expected[i]; }) < 1e-10);
  CHECK(test::off(backward<Act, I>(dev, dy, u, n), [&](std::size_t i) { return expected[n * I + i]; }) < 1e-10);
}
}  // namespace

TEST_CASE("gated_act: values and slopes against the formulas, widths around whole packs") {
  const Cpu one(1), three(3);
  for (const int n : {0, 1, 2, 33, 129}) {
    against_formulas<act::Gelu, double, 3>(one, n, 1e-13);
    against_formulas<act::Relu, double, 16>(three, n, 1e-14);
    against_formulas<act::GeluTanh, double, 37>(three, n, 1e-13);
    against_formulas<act::Tanh, double, 8>(one, n, 1e-13);
    against_formulas<act::Gelu, float, 21>(three, n, 5e-6);
    against_formulas<act::Gelu, float, 48>(one, n, 5e-6);
  }
}

TEST_CASE("gated_act: the gradient against differences") {
  against_differences<act::Gelu>();
  against_differences<act::GeluTanh>();
  against_differences<act::Relu>();
}

TEST_CASE("gated_act: same bits for any number of threads and any place in a batch") {
  constexpr int I = 21, n = 130;
  const Cpu one(1), three(3);
  const auto u = framed_noise<float>(n * 2 * I, 1), dy = framed_noise<float>(n * I, 2);
  const auto y = forward<act::Gelu, I>(one, u, n), again = forward<act::Gelu, I>(three, u, n);
  const auto du = backward<act::Gelu, I>(one, dy, u, n), du_again = backward<act::Gelu, I>(three, dy, u, n);
  CHECK(std::memcmp(y.data(), again.data(), y.size() * sizeof(float)) == 0);
  CHECK(std::memcmp(du.data(), du_again.data(), du.size() * sizeof(float)) == 0);
  for (const std::size_t row : {1u, 33u, 129u}) {
    const Framed<float> alone(std::vector<float>(u.data() + row * 2 * I, u.data() + (row + 1) * 2 * I));
    const Framed<float> slopes(std::vector<float>(dy.data() + row * I, dy.data() + (row + 1) * I));
    CHECK(test::off(forward<act::Gelu, I>(one, alone, 1), [&](std::size_t i) { return y[row * I + i]; }) == 0);
    CHECK(test::off(backward<act::Gelu, I>(one, slopes, alone, 1),
                    [&](std::size_t i) { return du[row * 2 * I + i]; }) == 0);
  }
}

TEST_CASE("gated_act: as the feed-forward layer of transformers' ModernBERT") {
  against_transformers<act::Gelu>();
  against_transformers<act::GeluTanh>();
  against_transformers<act::Relu>();
}
