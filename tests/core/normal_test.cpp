// tests > [core]
//
// The normal distribution and the activations against the C library in fp64, and slopes against differences.
#include "entrain/core/normal.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "entrain/core/activation.hpp"
#include "entrain/core/pack.hpp"

using namespace entrain;

namespace {
/// As normal(x), for any lane of a pack too.
template <class T> double worst(double from, double to, double relative_to_at_least) {
  using P = Pack<T>;
  double most = 0;
  for (int i = 0; i <= 40000; ++i) {
    const T x = static_cast<T>(from + (to - from) * i / 40000);
    const auto one = math::normal(x);
    const auto many = math::normal(P(x));
    T lane[P::size];
    many.below.store(lane);
    CHECK(lane[i % P::size] == doctest::Approx(static_cast<double>(one.below)).epsilon(1e-6));
    const double expected = 0.5 * std::erfc(-static_cast<double>(x) / std::sqrt(2.0));
    most =
        std::max(most, std::abs(static_cast<double>(one.below) - expected) / std::max(expected, relative_to_at_least));
    const double density =
        std::exp(-0.5 * static_cast<double>(x) * static_cast<double>(x)) / std::sqrt(2 * std::acos(-1.0));
    most =
        std::max(most, std::abs(static_cast<double>(one.density) - density) / std::max(density, relative_to_at_least));
  }
  return most;
}

template <class Act> double slope_error() {
  double most = 0;
  for (double x = -6; x <= 6; x += 0.0137) {
    const double h = 1e-5, numeric = (Act::at(x + h).value - Act::at(x - h).value) / (2 * h);
    most = std::max(most, std::abs(numeric - Act::at(x).slope));
  }
  return most;
}
}  // namespace

TEST_CASE("normal: against erfc and exp, relative to the value itself far into the tail") {
  CHECK(worst<float>(-11, 11, 1e-30) < 4e-6);
  CHECK(worst<float>(-3, 3, 1e-30) < 6e-7);
  CHECK(worst<double>(-11, 11, 1e-30) < 3e-14);
  CHECK(worst<double>(-3, 3, 1e-30) < 5e-15);
  CHECK(math::normal(0.0).below == doctest::Approx(0.5).epsilon(1e-15));
  CHECK(math::normal(-40.0).below == 0);
  CHECK(math::normal(40.0).below == 1);
  CHECK(math::normal(40.0f).below == 1);
  CHECK(std::isnan(math::normal(std::nan("")).below));
}

TEST_CASE("activation: GELU by erf and by tanh and ReLU against their formulas, slopes against differences") {
  for (double x = -8; x <= 8; x += 0.01) {
    const double erf = 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
    const double tanh = 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
    CHECK(std::abs(act::Gelu::at(x).value - erf) < 4e-15);
    CHECK(std::abs(act::GeluTanh::at(x).value - tanh) < 4e-15);
    const auto f = static_cast<float>(x);
    CHECK(std::abs(act::Gelu::at(f).value - erf) < 1e-6 * (0.2 + std::abs(x)));
    CHECK(std::abs(act::GeluTanh::at(f).value - tanh) < 1e-6 * (0.2 + std::abs(x)));
    CHECK(act::Relu::at(x).value == (x > 0 ? x : 0));
    CHECK(act::Relu::at(x).slope == (x > 0 ? 1 : 0));
  }
  CHECK(slope_error<act::Gelu>() < 1e-9);
  CHECK(slope_error<act::GeluTanh>() < 1e-9);
}
