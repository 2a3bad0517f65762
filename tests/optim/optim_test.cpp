// tests > [optim]
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <type_traits>
#include <vector>

#include "entrain/kernel/gemm/bf16.hpp"
#include "entrain/kernel/update/cpu.hpp"
#include "entrain/optim/schedule.hpp"
#include "entrain/optim/step.hpp"
#include "tests/gradient.hpp"
#include "tests/layout.hpp"

using namespace entrain;

namespace {
const device::Cpu<> dev(2);

std::map<std::string, std::vector<double>> golden() {
  std::map<std::string, std::vector<double>> values;
  std::ifstream file(std::string(ENTRAIN_SOURCE_DIR) + "/tests/optim/golden/torch.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name;
    words >> name;
    for (double v; words >> v;) values[name].push_back(v);
  }
  return values;
}
double gradient(int t, int i) { return ((t * 7 + i * 3) % 11 - 5) * 0.25; }

/// One dense matrix [5,1] (rows > 1, so it decays).
Layout matrix() { return test::layout({{"w", 5, 1}}); }

template <class O> void against_torch(double rate) {
  const auto expected = golden()[std::string(O::name)];
  REQUIRE(expected.size() == 15);
  std::vector<double> value{0.5, -1.0, 2.0, 0.0, 1e-3}, grad(5),
      m[2] = {std::vector<double>(5), std::vector<double>(5)};
  std::size_t at = 0;
  for (int t = 1; t <= 12; ++t) {
    for (int i = 0; i < 5; ++i) grad[std::size_t(i)] = gradient(t, i);
    optim::BuffersOf<O, double> b{value.data(), grad.data(), nullptr, {}};
    for (int k = 0; k < O::moments; ++k) b.moment[k] = m[k].data();
    optim::step<O>(dev, matrix(), b, {{}, rate, std::uint32_t(t), 1, 0});
    if (t == 1 || t == 4 || t == 12)
      for (std::size_t i = 0; i < 5; ++i) CHECK(value[i] == doctest::Approx(expected[at++]).epsilon(1e-12));
  }
}
}  // namespace

TEST_CASE("optim: twelve steps equal torch's") {
  against_torch<optim::Sgd>(0.1);
  against_torch<optim::Adam>(0.01);
  against_torch<optim::AdamW>(0.01);
}

TEST_CASE("optim: clipping by the global norm, division by targets, the norm that comes back") {
  const Layout layout = test::layout({{"a", 2, 2}, {"b", 1, 3}});
  std::vector<float> value(32, 0), grad(32, 0), m(32, 0);
  for (std::size_t i : {0u, 1u, 2u, 3u, 16u, 17u, 18u}) grad[i] = 6;
  optim::Buffers<float, 1> b{value.data(), grad.data(), nullptr, {m.data()}};
  const double norm = optim::step<optim::Sgd>(dev, layout, b, {{.momentum = 0}, 1.0, 1, 3.0, 1.0});
  CHECK(norm == doctest::Approx(2 * std::sqrt(7.0)));
  CHECK(value[0] == doctest::Approx(-1 / std::sqrt(7.0)));
  CHECK(value[18] == doctest::Approx(-1 / std::sqrt(7.0)));
  CHECK(value[5] == 0);
}

TEST_CASE("optim: a small norm is clipped as torch does it, by the norm and 1e-6") {
  std::vector<double> value(5, 0), grad(5, 0), m(5, 0);
  grad[3] = 2e-6;
  optim::Buffers<double, 1> b{value.data(), grad.data(), nullptr, {m.data()}};
  optim::step<optim::Sgd>(dev, matrix(), b, {{.momentum = 0, .weight_decay = 0}, 1.0, 1, 1.0, 1e-6});
  CHECK(value[3] == doctest::Approx(-2e-6 / 3).epsilon(1e-12));
}

TEST_CASE("optim: the numbers of a span, where something is frozen, with an average and a copy in 16 bits") {
  const Layout layout = test::layout({{"closed", 2, 3, false, true}, {"a", 2, 3}, {"b", 2, 3}});
  std::vector<float> value(48), grad(32), m(32), average(48);
  std::vector<bf16> weight(48);
  const optim::Buffers<float, 2, true, bf16> b{value.data(), grad.data(),  nullptr, {m.data(), average.data()},
                                               nullptr,      weight.data()};
  const auto numbers = b.of(layout.spans[2]);
  CHECK(numbers.value == &value[32]);
  CHECK(numbers.gradient == &grad[16]);
  CHECK(numbers.moment[0] == &m[16]);
  CHECK(numbers.moment[1] == &average[32]);
  CHECK(numbers.weight == &weight[32]);
  CHECK(optim::Buffers<float, 1>{value.data(), grad.data(), nullptr, {m.data()}}.of(layout.spans[2]).weight == nullptr);
}

TEST_CASE("optim: weights that products read as copies have the copies of their new values") {
  Layout layout = test::layout({{"a", 32, 64}, {"bias", 1, 16}, {"b", 64, 32}});
  layout.spans[0].factor = layout.spans[2].factor = true;
  layout.spans[2].factor_offset = 2048;
  const device::Cpu<kernel::Bf16Gemm> of_copies(2);
  std::vector<float> value(layout.size), grad(layout.size), m(layout.size);
  const auto noise = test::noise(layout.size, 1);
  for (std::size_t i = 0; i < layout.size; ++i) value[i] = grad[i] = static_cast<float>(noise[i]);
  device::Cpu<>::Buffer<std::byte> copies(4096 * sizeof(float)), expected(4096 * sizeof(float));
  optim::Buffers<float, 1> b{value.data(), grad.data(), nullptr, {m.data()}, nullptr, nullptr, copies.data()};
  optim::step<optim::Sgd>(of_copies, layout, b, {{.momentum = 0, .weight_decay = 0}, 0.5, 1, 1, 0});
  for (std::size_t i = 0; i < 2048; ++i) CHECK(value[i] == static_cast<float>(noise[i]) * 0.5f);
  for (const Span& s : layout.spans) {
    if (!s.factor) continue;
    const kernel::detail::WeightCopy copy(s.rows, s.cols);
    for (int part = 0; part < copy.parts(); ++part)
      copy.make(part, &value[s.offset], expected.data() + s.factor_offset * sizeof(float));
  }
  CHECK(std::equal(copies.data(), copies.data() + copies.size(), expected.data()));
}

TEST_CASE("optim: biases and gains do not decay, matrices do") {
  const Layout layout = test::layout({{"w", 2, 1}, {"bias", 1, 2}});
  std::vector<float> value(32, 1), grad(32, 0), m(32, 0), v(32, 0);
  optim::Buffers<float, 2> b{value.data(), grad.data(), nullptr, {m.data(), v.data()}};
  optim::step<optim::AdamW>(dev, layout, b, {{.weight_decay = 0.5}, 0.1, 1, 1, 0});
  CHECK(value[0] == doctest::Approx(0.95f));
  CHECK(value[16] == 1);
}

TEST_CASE("optim: untouched rows of a table have gradient 0, whatever is in the buffer") {
  const Layout layout = test::layout({{"table", 4, 3, true}});
  const float poison = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> value(16, 1), grad(16, poison), m(16, 0.5f), v(16, 0.25f);
  const std::vector<std::uint32_t> stamps{9, 8, 9, 0};
  for (std::size_t i : {0u, 1u, 2u, 6u, 7u, 8u}) grad[i] = 2;
  optim::Buffers<float, 2> b{value.data(), grad.data(), stamps.data(), {m.data(), v.data()}};
  CHECK(optim::step<optim::AdamW>(dev, layout, b, {{}, 0.1, 9, 1, 0}) == doctest::Approx(std::sqrt(24.0)));
  CHECK(m[0] == doctest::Approx(0.65f));
  CHECK(m[3] == doctest::Approx(0.45f));  // its momentum continues
  CHECK(value[3] != 1);
  CHECK(v[10] == doctest::Approx(0.25f * 0.999f));
}

TEST_CASE("optim: a gradient that is not finite is named, and no value changes") {
  const Layout layout = test::layout({{"a", 2, 2}, {"head.bias", 1, 3}});
  std::vector<float> value(32, 1), grad(32, 1), m(32, 0);
  grad[17] = std::numeric_limits<float>::infinity();
  optim::Buffers<float, 1> b{value.data(), grad.data(), nullptr, {m.data()}};
  CHECK_THROWS_WITH_AS(optim::step<optim::Sgd>(dev, layout, b, {{}, 1.0, 5, 1, 1}),
                       "entrain.optim.2: step 5: the gradient of head.bias is not finite; lower --learning-rate, raise "
                       "--warmup-steps, or clip gradients to a smaller norm with --max-grad-norm, where 0 means no "
                       "clipping",
                       Error);
  for (float x : value) CHECK(x == 1);
}

TEST_CASE("optim: blocks learn slower the lower they are, the head at its own rate, what is frozen not at all") {
  const Layout layout = test::layout({{"embed", 2, 3, false, false, 0},
                                      {"closed", 2, 3, false, true, 1},
                                      {"low", 2, 3, false, false, 1},
                                      {"high", 2, 3, false, false, 2},
                                      {"head", 2, 3, false, false, 3}});
  REQUIRE(layout.gradients == 64);
  REQUIRE(layout.size == 80);
  std::vector<double> value(80, 1), grad(64), m(64, 0), average(80, 1);
  for (std::size_t i = 0; i < grad.size(); ++i) grad[i] = static_cast<double>(1 + i / 16);  // 1 to 4, of what learns
  optim::Buffers<double, 2, true> b{value.data(), grad.data(), nullptr, {m.data(), average.data()}};
  const optim::Knobs knobs{.momentum = 0, .weight_decay = 0, .ema_decay = 0, .layerwise_lr_decay = 0.5, .head_rate = 4};
  const double norm = optim::step<optim::Averaged<optim::Sgd>>(dev, layout, b, {knobs, 0.1, 1, 1, 0});
  CHECK(norm == doctest::Approx(std::sqrt(6.0 * (1 + 4 + 9 + 16))));
  const double moved[] = {0.0125, 0, 2 * 0.025, 3 * 0.05, 4 * 0.4};
  for (std::size_t s = 0; s < 5; ++s)
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(value[16 * s + i] == doctest::Approx(1 - moved[s]));
      CHECK(average[16 * s + i] == value[16 * s + i]);  // in the same layout as the values
    }
}

TEST_CASE_TEMPLATE("optim: in fp32 Adam is off by the rounding of its numbers, not of 1 - beta", O, optim::Adam,
                   optim::AdamW, optim::Averaged<optim::Adam>) {
  const auto trained = [](auto zero) {
    using T = decltype(zero);
    std::vector<T> value(5, T(1)), grad(5);
    std::array<std::vector<T>, O::moments> m;
    for (auto& of : m) of.assign(5, T(0));
    for (std::uint32_t t = 1; t <= 20; ++t) {
      for (std::size_t i = 0; i < 5; ++i) grad[i] = static_cast<T>(gradient(static_cast<int>(t), static_cast<int>(i)));
      optim::BuffersOf<O, T> b{value.data(), grad.data(), nullptr, {}};
      for (std::size_t k = 0; k < m.size(); ++k) b.moment[k] = m[k].data();
      optim::step<O>(dev, matrix(), b, {{}, 0.05, t, 1, 0});
    }
    for (std::size_t i = 0; i < 5; ++i) value.push_back(m[O::moments - 1][i]);
    return std::vector<double>(value.begin(), value.end());
  };
  const auto single = trained(0.0f), wide = trained(0.0);
  for (std::size_t i = 0; i < wide.size(); ++i) CHECK(std::abs(single[i] - wide[i]) < 2e-6 * std::abs(wide[i]));
}

TEST_CASE("optim: with an average, the values and moments are those of the rule without one") {
  const auto trained = []<class O>(std::type_identity<O>) {
    std::vector<double> numbers(15, 0.5), average(5, 0.5), grad(5);  // values, two moments
    optim::BuffersOf<O, double> b{numbers.data(), grad.data(), nullptr, {&numbers[5], &numbers[10]}};
    if constexpr (optim::averages<O>) b.moment[2] = average.data();
    for (int t = 1; t <= 12; ++t) {
      for (int i = 0; i < 5; ++i) grad[std::size_t(i)] = gradient(t, i);
      optim::step<O>(dev, matrix(), b, {{}, 0.01, std::uint32_t(t), 1, 0});
    }
    return numbers;
  };
  CHECK(trained(std::type_identity<optim::Averaged<optim::AdamW>>()) == trained(std::type_identity<optim::AdamW>()));
}

TEST_CASE("optim: the moving average follows the values") {
  using O = optim::Averaged<optim::Sgd>;
  std::vector<double> value(5, 1), grad(5, 1), m(5, 0), average(5, 1);
  optim::Buffers<double, 2, true> b{value.data(), grad.data(), nullptr, {m.data(), average.data()}};
  double p = 1, e = 1;
  for (std::uint32_t t = 1; t <= 120; ++t) {
    optim::step<O>(dev, matrix(), b, {{.momentum = 0, .weight_decay = 0, .ema_decay = 0.9}, 0.1, t, 1, 0});
    p -= 0.1;
    const double d = std::min(0.9, (1.0 + t) / (10.0 + t));
    e = d * e + (1 - d) * p;
    CHECK(value[4] == doctest::Approx(p));
    CHECK(average[4] == doctest::Approx(e));
  }
}

TEST_CASE("optim: the sum of squares is right and the same for any number of threads") {
  const auto g = test::noise(100003, 3);
  double plain = 0;
  for (double x : g) plain += x * x;
  const double one = kernel::square_sum(device::Cpu<>(1), g.data(), g.size(), {});
  CHECK(one == doctest::Approx(plain).epsilon(1e-12));
  CHECK(one == kernel::square_sum(device::Cpu<>(3), g.data(), g.size(), {}));
  CHECK(kernel::square_sum(dev, g.data(), 0, {}) == 0);
}

TEST_CASE("Schedule: warm-up, then constant, linear or cosine") {
  const optim::Schedule linear{1.0, optim::Decay::linear, 10, 110};
  CHECK(linear(0) == doctest::Approx(0.1));
  CHECK(linear(9) == doctest::Approx(1.0));
  CHECK(linear(10) == doctest::Approx(1.0));
  CHECK(linear(60) == doctest::Approx(0.5));
  CHECK(linear(110) == doctest::Approx(0.0));
  CHECK(linear(500) == doctest::Approx(0.0));
  const optim::Schedule cosine{2.0, optim::Decay::cosine, 0, 100};
  CHECK(cosine(0) == doctest::Approx(2.0));
  CHECK(cosine(50) == doctest::Approx(1.0));
  CHECK(cosine(100) == doctest::Approx(0.0));
  const optim::Schedule constant{3.0, optim::Decay::constant, 0, 0};
  CHECK(constant(12345) == 3.0);
  CHECK(optim::decay_by_name("cosine") == optim::Decay::cosine);
  CHECK_THROWS_WITH_AS(optim::decay_by_name("Cosine"),
                       "entrain.optim.1: --lr-scheduler-type: 'Cosine', expected constant, linear or cosine", Error);
}

TEST_CASE("optim: matrices decay, also a table and a factor of products of one row; biases and gains do not") {
  const auto span = [](int rows, bool table, bool factor) {
    Span s;
    s.rows = rows, s.cols = 4, s.sparse = table, s.factor = factor;
    return s.decays();
  };
  CHECK(span(2, false, false));
  CHECK(span(1, true, false));
  CHECK(span(1, false, true));
  CHECK_FALSE(span(1, false, false));
}
