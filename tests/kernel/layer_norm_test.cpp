// tests > [kernel]
//
// Layer normalisation against its formulas, number by number.
#include "entrain/kernel/layer_norm/cpu.hpp"

#include "tests/kernel/framed.hpp"

using namespace entrain;
using test::Framed;
using test::framed_noise;

namespace {
/// Without a shift, none is added, and its gradient is not computed.
template <class T, int C, bool Shifted = true>
void against_formulas(const device::Cpu<>& dev, int n, double tolerance) {
  const auto N = static_cast<std::size_t>(n);
  const double eps = 0.1;  // large, so that it counts
  const auto x = framed_noise<T>(N * C, 1), dy = framed_noise<T>(N * C, 2);
  const auto gain = framed_noise<T>(C, 3), shift = framed_noise<T>(C, 4), before = framed_noise<T>(N * C, 5);
  std::vector<double> mean(N), rstd(N), gains(C), shifts(C);
  const auto h = [&](std::size_t i) { return (static_cast<double>(x[i]) - mean[i / C]) * rstd[i / C]; };
  const auto d = [&](std::size_t i) { return static_cast<double>(dy[i]) * static_cast<double>(gain[i % C]); };
  std::vector<double> d_mean(N), dh_mean(N);
  for (std::size_t row = 0; row < N; ++row) {
    double variance = 0;
    for (std::size_t i = row * C; i < (row + 1) * C; ++i) mean[row] += static_cast<double>(x[i]) / C;
    for (std::size_t i = row * C; i < (row + 1) * C; ++i)
      variance += (static_cast<double>(x[i]) - mean[row]) * (static_cast<double>(x[i]) - mean[row]) / C;
    rstd[row] = 1 / std::sqrt(variance + eps);
    for (std::size_t i = row * C; i < (row + 1) * C; ++i) {
      d_mean[row] += d(i) / C;
      dh_mean[row] += d(i) * h(i) / C;
      gains[i % C] += static_cast<double>(dy[i]) * h(i);
      shifts[i % C] += static_cast<double>(dy[i]);
    }
  }
  CAPTURE(C);
  CAPTURE(n);

  Framed<T> y(N * C), stat(2 * N);
  const Rows<const T, C> input(x.data(), n), gradient(dy.data(), n);
  const Weight<const T, 1, C> g{gain.data()};
  kernel::layer_norm(dev, input, g, Weight<const T, 1, C>{Shifted ? shift.data() : nullptr}, eps,
                     Rows<T, 2>(stat.data(), n), Rows<T, C>(y.data(), n));
  CHECK(test::off(stat, [&](std::size_t i) { return i % 2 == 0 ? mean[i / 2] : rstd[i / 2]; }) < tolerance);
  CHECK(test::off(y, [&](std::size_t i) {
          return h(i) * static_cast<double>(gain[i % C]) + (Shifted ? static_cast<double>(shift[i % C]) : 0);
        }) < tolerance);

  const Rows<const T, 2> saved(stat.data(), n);
  for (const Write how : {Write::assign, Write::add}) {
    const double keep = how == Write::add ? 1 : 0;
    Framed<T> dx = how == Write::add ? before : Framed<T>(N * C), ggain(C), gshift(C);
    if (how == Write::add) ggain = shift, gshift = gain;
    kernel::layer_norm_back(dev, gradient, input, saved, g, Rows<T, C>(dx.data(), n), how);
    CHECK(test::off(dx, [&](std::size_t i) {
            return keep * static_cast<double>(before[i]) + rstd[i / C] * (d(i) - d_mean[i / C] - h(i) * dh_mean[i / C]);
          }) < tolerance);
    kernel::layer_norm_params(dev, gradient, input, saved, Weight<T, 1, C>{ggain.data()},
                              Weight<T, 1, C>{Shifted ? gshift.data() : nullptr}, how);
    CHECK(test::off(ggain, [&](std::size_t i) { return keep * static_cast<double>(shift[i]) + gains[i]; }) <
          tolerance * (n + 1));
    if (Shifted)
      CHECK(test::off(gshift, [&](std::size_t i) { return keep * static_cast<double>(gain[i]) + shifts[i]; }) <
            tolerance * (n + 1));
  }
}
}  // namespace

TEST_CASE("layer_norm: forward, backward and parameters against the formulas, widths around whole packs") {
  const device::Cpu<> one(1), three(3);
  for (int n : {0, 1, 2, 65, 130}) {
    against_formulas<double, 3>(one, n, 1e-13);
    against_formulas<double, 16>(three, n, 1e-13);
    against_formulas<double, 37>(one, n, 1e-13);
    against_formulas<float, 37>(three, n, 1e-5);
  }
}

TEST_CASE("layer_norm without a shift: forward and parameters against the formulas, widths around whole packs") {
  const device::Cpu<> one(1), three(3);
  for (int n : {0, 1, 65, 130}) {
    against_formulas<double, 3, false>(three, n, 1e-13);
    against_formulas<double, 37, false>(one, n, 1e-13);
    against_formulas<float, 48, false>(three, n, 1e-5);
  }
}
