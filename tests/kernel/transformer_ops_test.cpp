// tests > [kernel]
//
// The ops of a transformer's block against their formulas, number by number.
#include "entrain/core/activation.hpp"
#include "entrain/kernel/activation/cpu.hpp"
#include "entrain/kernel/gather/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/piece_embed/cpu.hpp"
#include "entrain/kernel/residual_norm/cpu.hpp"
#include "tests/kernel/framed.hpp"

using namespace entrain;
using test::Framed;
using test::framed_noise;

namespace {
using Cpu = device::Cpu<>;
const std::vector<int> heights{0, 1, 2, 33, 129};

/// Biased: with a bias before the function, or without.
template <class Act, class T, int C, bool Biased = true> void activation(const Cpu& dev, int n, double tolerance) {
  const auto N = static_cast<std::size_t>(n);
  const auto before = framed_noise<T>(N * C, 1), b = framed_noise<T>(C, 2), dy = framed_noise<T>(N * C, 3);
  Framed<T> x = before, y(N * C), dx(N * C);
  const auto sum = [&](std::size_t i) {
    return static_cast<double>(before[i]) + (Biased ? static_cast<double>(b[i % C]) : 0);
  };
  CAPTURE(C);
  CAPTURE(n);
  const Rows<T, C> in(x.data(), n), out(y.data(), n);
  if constexpr (Biased) {
    kernel::bias_act<Act>(dev, Weight<const T, 1, C>{b.data()}, in, out);
  } else {
    kernel::act<Act>(dev, in, out);
  }
  CHECK(test::off(x, [&](std::size_t i) { return Act::at(sum(i)).slope; }) < tolerance);
  CHECK(test::off(y, [&](std::size_t i) { return Act::at(sum(i)).value; }) < tolerance);
  const auto back = [&](std::size_t i) { return static_cast<double>(dy[i]) * Act::at(sum(i)).slope; };
  kernel::act_back(dev, Rows<const T, C>(dy.data(), n), Rows<const T, C>(x.data(), n), Rows<T, C>(dx.data(), n));
  CHECK(test::off(dx, back) < tolerance);
  Framed<T> in_place = dy;
  kernel::act_back(dev, Rows<const T, C>(in_place.data(), n), Rows<const T, C>(x.data(), n),
                   Rows<T, C>(in_place.data(), n));
  CHECK(test::off(in_place, back) < tolerance);
}

/// What is fused elsewhere is here, to the bit, the ops that it is made of.
template <class Act, class T> void composed(const Cpu& dev, int n) {
  constexpr int I = 11, O = 21;
  const auto inside = static_cast<std::size_t>(n) * O;
  const auto x = framed_noise<T>(static_cast<std::size_t>(n) * I, 1), w = framed_noise<T>(O * I, 2),
             b = framed_noise<T>(O, 3);
  const Rows<const T, I> in(x.data(), n);
  const MatmulWeight<const T, O, I> inner{w.data()};
  const MatmulWeight<const T, I, O> outer{w.data()};
  const Weight<const T, 1, O> bias{b.data()};
  Framed<T> slope(inside), y(inside), dx(inside), kept(inside), found(inside), back(inside);
  const auto rows = [&](Framed<T>& of) { return Rows<T, O>(of.data(), n); };
  kernel::gemm(dev, in, inner, rows(slope));
  kernel::bias_act<Act>(dev, bias, rows(slope), rows(y));
  kernel::gemm_dx(dev, in, outer, rows(dx), Write::assign);
  kernel::act_back(dev, Rows<const T, O>(rows(dx)), Rows<const T, O>(rows(slope)), rows(dx));
  kernel::gemm_bias_act<Act>(dev, in, inner, bias, rows(kept), rows(found));
  kernel::gemm_dact<Act>(dev, in, outer, Rows<const T, O>(rows(kept)), rows(back));
  CHECK(test::off(kept, [&](std::size_t i) { return slope[i]; }) == 0);
  CHECK(test::off(found, [&](std::size_t i) { return y[i]; }) == 0);
  CHECK(test::off(back, [&](std::size_t i) { return dx[i]; }) == 0);
}

template <class T, int C> void residual_norm(const Cpu& dev, int n, bool training, double tolerance) {
  const auto N = static_cast<std::size_t>(n);
  const double eps = 0.1;  // large, so that it counts
  const auto f = framed_noise<T>(N * C, 1), b = framed_noise<T>(C, 2), x = framed_noise<T>(N * C, 3);
  const auto gain = framed_noise<T>(C, 4), shift = framed_noise<T>(C, 5), dy = framed_noise<T>(N * C, 6);
  Counters counters;
  counters.seed = 5;
  counters.step = 2;
  counters.dropout = 0.3f;
  Arena scratch;
  const Step<Cpu> at{dev, Shape{n, 1, 1}, {}, training, Write::assign, scratch, &counters, 9};
  const double limit = std::floor(static_cast<double>(counters.dropout) * 65536 + 0.5);
  const auto factor = [&](std::size_t i) {
    if (!training) return 1.0;
    const int row = static_cast<int>(i / C), c = static_cast<int>(i % C);
    const auto words = kernel::dropout_words(counters, at.rng_stream, row, c / 8);
    const std::uint32_t bits = words[c % 8 / 2] >> (c % 2 * 16) & 0xFFFFu;
    return bits < limit ? 0.0 : 65536 / (65536 - limit);
  };
  std::vector<double> sums(N * C), mean(N), rstd(N), d_mean(N), dh_mean(N);
  for (std::size_t i = 0; i < N * C; ++i)
    sums[i] = static_cast<double>(x[i]) + factor(i) * (static_cast<double>(f[i]) + static_cast<double>(b[i % C]));
  const auto h = [&](std::size_t i) { return (sums[i] - mean[i / C]) * rstd[i / C]; };
  const auto d = [&](std::size_t i) { return static_cast<double>(dy[i]) * static_cast<double>(gain[i % C]); };
  for (std::size_t row = 0; row < N; ++row) {
    double variance = 0;
    for (std::size_t i = row * C; i < (row + 1) * C; ++i) mean[row] += sums[i] / C;
    for (std::size_t i = row * C; i < (row + 1) * C; ++i) variance += std::pow(sums[i] - mean[row], 2) / C;
    rstd[row] = 1 / std::sqrt(variance + eps);
    for (std::size_t i = row * C; i < (row + 1) * C; ++i) d_mean[row] += d(i) / C, dh_mean[row] += d(i) * h(i) / C;
  }
  CAPTURE(C);
  CAPTURE(n);
  CAPTURE(training);
  Framed<T> sum(N * C), stat(2 * N), y(N * C), dsum(N * C), df(N * C);
  using W = Weight<const T, 1, C>;
  kernel::bias_dropout_add_norm(at, Rows<const T, C>(f.data(), n), W{b.data()}, Rows<const T, C>(x.data(), n),
                                W{gain.data()}, W{shift.data()}, eps, Rows<T, C>(sum.data(), n),
                                Rows<T, 2>(stat.data(), n), Rows<T, C>(y.data(), n));
  CHECK(test::off(sum, [&](std::size_t i) { return sums[i]; }) < tolerance);
  CHECK(test::off(stat, [&](std::size_t i) { return i % 2 == 0 ? mean[i / 2] : rstd[i / 2]; }) < tolerance);
  CHECK(test::off(y, [&](std::size_t i) {
          return h(i) * static_cast<double>(gain[i % C]) + static_cast<double>(shift[i % C]);
        }) < tolerance);
  kernel::bias_dropout_add_norm_back(at, Rows<const T, C>(dy.data(), n), Rows<const T, C>(sum.data(), n),
                                     Rows<const T, 2>(stat.data(), n), W{gain.data()}, Rows<T, C>(dsum.data(), n),
                                     Rows<T, C>(df.data(), n));
  const auto slope = [&](std::size_t i) { return rstd[i / C] * (d(i) - d_mean[i / C] - h(i) * dh_mean[i / C]); };
  CHECK(test::off(dsum, slope) < tolerance);
  CHECK(test::off(df, [&](std::size_t i) { return factor(i) * slope(i); }) < tolerance);

  // With the parameters' gradients: on the CPU the ops that it is made of, to the bit.
  using G = Weight<T, 1, C>;
  const auto before = framed_noise<T>(3 * C, 7);
  for (const Write how : {Write::assign, Write::add}) {
    Framed<T> made = before, known = before, dsum_too(N * C), df_too(N * C);
    const auto part = [](Framed<T>& of, int k) { return G{of.data() + k * C}; };
    const Rows<const T, C> slopes(dy.data(), n), kept(sum.data(), n);
    const Rows<const T, 2> statistics(stat.data(), n);
    kernel::sum_rows(dev, Rows<const T, C>(df.data(), n), part(known, 0), how);
    kernel::layer_norm_params(dev, slopes, kept, statistics, part(known, 1), part(known, 2), how);
    {
      const BackwardStep backward(how == Write::add ? at.adding() : at);
      kernel::bias_dropout_add_norm_gradients(backward, at, slopes, kept, statistics, W{gain.data()},
                                              Rows<T, C>(dsum_too.data(), n), Rows<T, C>(df_too.data(), n),
                                              part(made, 0), part(made, 1), part(made, 2));
      CHECK(scratch.used >= static_cast<std::size_t>(kernel::NormRanges::at_most(n)) * sizeof(T) * 3 * C);
    }
    CHECK(scratch.used == 0);
    CHECK(test::off(dsum_too, [&](std::size_t i) { return dsum[i]; }) == 0);
    CHECK(test::off(df_too, [&](std::size_t i) { return df[i]; }) == 0);
    CHECK(test::off(made, [&](std::size_t i) { return known[i]; }) == 0);
  }
}
}  // namespace

TEST_CASE("activation: with bias, and back, widths around whole packs") {
  const Cpu one(1), three(3);
  for (const int n : heights) {
    activation<act::Gelu, double, 3>(one, n, 1e-14);
    activation<act::Gelu, double, 37>(three, n, 1e-14);
    activation<act::GeluTanh, double, 16>(one, n, 1e-14);
    activation<act::Relu, float, 21>(one, n, 1e-6);
    activation<act::Gelu, float, 48>(three, n, 2e-6);
  }
}

TEST_CASE("activation: without a bias, and back, widths around whole packs") {
  const Cpu one(1), three(3);
  for (const int n : heights) {
    activation<act::Gelu, double, 37, false>(three, n, 1e-14);
    activation<act::Relu, double, 3, false>(one, n, 1e-14);
    activation<act::Gelu, float, 21, false>(one, n, 2e-6);
    activation<act::GeluTanh, float, 48, false>(three, n, 2e-6);
  }
}

TEST_CASE("a function between two products, and back: on the CPU the ops that it is made of") {
  static_assert(!kernel::keeps_input<act::GeluTanh, Cpu, float>);
  for (const int n : heights) {
    composed<act::Gelu, float>(Cpu(1), n);
    composed<act::GeluTanh, double>(Cpu(3), n);
  }
}

TEST_CASE("bias_dropout_add_norm: forward and back, with dropout and without, widths around whole packs") {
  const Cpu one(1), three(3);
  for (const bool training : {false, true})
    for (const int n : heights) {
      residual_norm<double, 3>(one, n, training, 1e-13);
      residual_norm<double, 37>(three, n, training, 1e-13);
      residual_norm<double, 16>(three, n, training, 1e-13);
      residual_norm<float, 37>(one, n, training, 1e-5);
      residual_norm<float, 64>(three, n, training, 1e-5);
    }
}

TEST_CASE("piece_embed_norm: piece, place and, if there are segments, the first one are summed; then the ops' norm") {
  const Cpu dev(2);
  constexpr int C = 21;
  const auto word = framed_noise<double>(7 * C, 1), position = framed_noise<double>(5 * C, 2),
             type = framed_noise<double>(2 * C, 3), gain = framed_noise<double>(C, 4),
             shift = framed_noise<double>(C, 5);
  using W = Weight<const double, 1, C>;
  Counters counters;
  counters.dropout = 0.3f;
  Arena scratch;
  for (const bool training : {false, true})
    for (const int n : heights) {
      CAPTURE(n);
      CAPTURE(training);
      const Step<Cpu> step{dev, Shape{n, 1, 1}, {}, training, Write::assign, scratch, &counters, 9};
      std::vector<std::int32_t> ids, at;
      for (int i = 0; i < n; ++i) ids.push_back(i * 3 % 7), at.push_back(i % 5);
      const auto once = [&](auto types, auto&& expected) {
        const auto N = static_cast<std::size_t>(n);
        Framed<double> sum(N * C), stat(2 * N), y(N * C), known_stat(2 * N), known(N * C);
        const Rows<double, C> sums(sum.data(), n), normed(known.data(), n);
        kernel::piece_embed_norm(step, Table<const double, 7, C>{word.data()}, ids.data(),
                                 Table<const double, 5, C>{position.data()}, at.data(), types, W{gain.data()},
                                 W{shift.data()}, 1e-3, sums, Rows<double, 2>(stat.data(), n),
                                 Rows<double, C>(y.data(), n));
        CHECK(test::off(sum, expected) < 1e-15);
        kernel::layer_norm(dev, Rows<const double, C>(sums), W{gain.data()}, W{shift.data()}, 1e-3,
                           Rows<double, 2>(known_stat.data(), n), normed);
        if (training) kernel::dropout(step, Rows<const double, C>(normed), normed, Write::assign);
        CHECK(test::off(stat, [&](std::size_t i) { return known_stat[i]; }) == 0);
        CHECK(test::off(y, [&](std::size_t i) { return known[i]; }) == 0);
      };
      const auto two = [&](std::size_t i) {
        const auto id = static_cast<std::size_t>(ids[i / C]), place = static_cast<std::size_t>(at[i / C]);
        return word[id * C + i % C] + position[place * C + i % C];
      };
      once(Table<const double, 2, C>{type.data()}, [&](std::size_t i) { return two(i) + type[i % C]; });
      once(Table<const double, 0, C>{}, two);
    }
}

TEST_CASE("gather_back: a row goes where it was picked, all others are zero") {
  const Cpu dev(2);
  constexpr int C = 5;
  const auto dy = framed_noise<float>(3 * C, 1);
  const std::vector<std::int32_t> from{-1, 2, -1, 0, 1, -1};
  Framed<float> dx(6 * C);
  kernel::gather_back(dev, Rows<const float, C>(dy.data(), 3), from.data(), Rows<float, C>(dx.data(), 6));
  CHECK(test::off(dx, [&](std::size_t i) {
          const std::int32_t row = from[i / C];
          return row < 0 ? 0.0f : dy[static_cast<std::size_t>(row) * C + i % C];
        }) == 0);
}
