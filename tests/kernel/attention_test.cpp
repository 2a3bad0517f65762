// tests > [kernel]
//
// Attention over packed rows against its formulas, number by number.
#include "entrain/kernel/attention/cpu.hpp"

#include <array>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/kernel/framed.hpp"

using namespace entrain;
using test::Framed;
using test::framed_noise;

namespace {
using Cpu = device::Cpu<>;

/// The factor of one probability: kernel::dropout_words, one number at a time.
double factor(const Step<Cpu>& at, int query, int head, int key) {
  if (!at.training) return 1;
  const auto words = kernel::dropout_words(*at.counters, at.rng_stream, query, kernel::attention_block(head, key));
  const std::uint32_t bits = words[key % 8 / 2] >> (key % 2 * 16) & 0xFFFFu;
  const auto limit = static_cast<std::uint32_t>(at.counters->dropout * 65536.0f + 0.5f);
  return bits < limit ? 0 : 65536.0 / (65536.0 - limit);
}

template <class T, int H, int C, int Window = 0>
void against_formulas(const Cpu& dev, const std::vector<int>& lengths, bool training, double tolerance) {
  constexpr int d = C / H;
  std::vector<std::int32_t> cu_seqlens{0};
  for (const int length : lengths) cu_seqlens.push_back(cu_seqlens.back() + length);
  const int n = cu_seqlens.back();
  const auto N = static_cast<std::size_t>(n);
  const double scale = 0.7;
  const auto qkv = framed_noise<T>(N * 3 * C, 1), dout = framed_noise<T>(N * C, 2);
  Counters counters;
  counters.seed = 11;
  counters.dropout = 0.25f;
  std::vector<std::byte> memory(N * H * sizeof(T) + 256);
  Arena scratch{memory.data(), memory.size()};
  const Step<Cpu> at{dev,
                     Shape{n, static_cast<int>(lengths.size()), 1},
                     Geometry{cu_seqlens.data(), nullptr, nullptr},
                     training,
                     Write::assign,
                     scratch,
                     &counters,
                     5};

  std::vector<double> norms(N * H), outs(N * C), slopes(N * 3 * C);
  const auto x = [&](int row, int third, int head, int i) {
    return static_cast<double>(qkv[static_cast<std::size_t>(row * 3 * C + third * C + head * d + i)]);
  };
  const auto dy = [&](int row, int head, int i) {
    return static_cast<double>(dout[static_cast<std::size_t>(row * C + head * d + i)]);
  };
  const auto slope = [&](int row, int third, int head, int i) -> double& {
    return slopes[static_cast<std::size_t>(row * 3 * C + third * C + head * d + i)];
  };
  for (std::size_t s = 0; s < lengths.size(); ++s)
    for (int head = 0; head < H; ++head)
      for (int i = cu_seqlens[s]; i < cu_seqlens[s + 1]; ++i) {
        std::vector<double> p, m, dp;
        std::vector<int> keys;
        for (int j = cu_seqlens[s]; j < cu_seqlens[s + 1]; ++j)
          if (Window == 0 || 2 * std::abs(i - j) <= Window) keys.push_back(j);
        double total = 0, delta = 0;
        for (const int j : keys) {
          double score = 0, by_value = 0;
          for (int k = 0; k < d; ++k) {
            score += scale * x(i, 0, head, k) * x(j, 1, head, k);
            by_value += dy(i, head, k) * x(j, 2, head, k);
          }
          p.push_back(std::exp(score));
          total += p.back();
          m.push_back(factor(at, i, head, j));
          dp.push_back(m.back() * by_value);
        }
        norms[static_cast<std::size_t>(i * H + head)] = std::log(total);
        for (std::size_t j = 0; j < p.size(); ++j) {
          p[j] /= total;
          delta += p[j] * dp[j];
          for (int k = 0; k < d; ++k)
            outs[static_cast<std::size_t>(i * C + head * d + k)] += m[j] * p[j] * x(keys[j], 2, head, k);
        }
        for (std::size_t j = 0; j < p.size(); ++j) {
          const int row = keys[j];
          const double ds = p[j] * (dp[j] - delta);
          for (int k = 0; k < d; ++k) {
            slope(i, 0, head, k) += scale * ds * x(row, 1, head, k);
            slope(row, 1, head, k) += scale * ds * x(i, 0, head, k);
            slope(row, 2, head, k) += m[j] * p[j] * dy(i, head, k);
          }
        }
      }
  CAPTURE(n);
  CAPTURE(Window);
  CAPTURE(training);

  Framed<T> out(N * C), lse(N * H), dqkv(N * 3 * C);
  const Rows<const T, 3 * C> input(qkv.data(), n);
  kernel::attention<Window>(at, input, scale, Rows<T, H>(lse.data(), n), Rows<T, C>(out.data(), n));
  CHECK(test::off(lse, [&](std::size_t i) { return norms[i]; }) < tolerance);
  CHECK(test::off(out, [&](std::size_t i) { return outs[i]; }) < tolerance);
  kernel::attention_back<Window>(at, Rows<const T, C>(dout.data(), n), input, scale, Rows<const T, H>(lse.data(), n),
                                 Rows<const T, C>(out.data(), n), Rows<T, 3 * C>(dqkv.data(), n));
  CHECK(test::off(dqkv, [&](std::size_t i) { return slopes[i]; }) < tolerance);
}
}  // namespace

TEST_CASE(
    "attention: forward and backward against the formulas, one block of keys and several, with dropout and without") {
  const Cpu one(1), three(3);
  for (const bool training : {false, true}) {
    against_formulas<double, 2, 10>(one, {}, training, 1e-12);
    against_formulas<double, 2, 10>(one, {1}, training, 1e-12);
    against_formulas<double, 2, 10>(three, {1, 0, 7, 1, 31, 16}, training, 1e-12);
    against_formulas<double, 3, 24>(three, {127, 129}, training, 1e-12);
    against_formulas<double, 2, 24>(one, {9, 30}, training, 1e-12);  // a head of a pack and a half, here or with AVX2
    against_formulas<double, 2, 12>(one, {9, 30}, training, 1e-12);
    against_formulas<double, 2, 6>(three, {300, 2}, training, 1e-12);
    against_formulas<float, 1, 32>(three, {40, 1}, training, 2e-5);
    against_formulas<float, 1, 16>(one, {258}, training, 2e-5);
    against_formulas<float, 2, 74>(one, {9, 30}, training, 2e-5);
  }
}

TEST_CASE("attention in a window: the formulas, for windows of few rows, of many, and wider than any sentence") {
  const Cpu one(1), three(3);
  for (const bool training : {false, true}) {
    against_formulas<double, 2, 10, 2>(one, {}, training, 1e-12);
    against_formulas<double, 2, 10, 2>(one, {1}, training, 1e-12);
    against_formulas<double, 2, 10, 2>(three, {1, 0, 2, 3, 1, 31, 16}, training, 1e-12);
    against_formulas<double, 2, 10, 8>(three, {4, 5, 6, 1, 31}, training, 1e-12);
    against_formulas<double, 3, 24, 128>(three, {127, 129, 1}, training, 1e-12);
    against_formulas<double, 1, 6, 2>(one, {3, 515}, training, 1e-12);      // rows whose keys are in two blocks
    against_formulas<double, 1, 6, 128>(three, {7, 600}, training, 1e-12);  // begins and ends between blocks
    against_formulas<double, 1, 6, 400>(one, {5, 700}, training, 1e-12);    // several blocks of keys for each query
    against_formulas<double, 1, 6, 2000>(one, {300, 1}, training, 1e-12);
    against_formulas<float, 1, 32, 6>(three, {40, 1}, training, 2e-5);
    against_formulas<float, 1, 16, 64>(one, {258}, training, 2e-5);
  }
}

namespace {
/// Norms, results and gradients on sentences of 300, 1 and 77 rows.
template <int Window> std::vector<double> numbers_of(int threads) {
  constexpr int H = 2, C = 12, n = 378;
  const Cpu dev(threads);
  const std::vector<std::int32_t> cu_seqlens{0, 300, 301, n};
  const auto qkv = test::noise(3 * n * C, 1), dout = test::noise(n * C, 2);
  const Counters counters{.seed = 11, .dropout = 0.25f};
  std::vector<std::byte> memory(n * H * sizeof(double) + 256);
  Arena scratch{memory.data(), memory.size()};
  const Step<Cpu> at{dev,     Shape{n, 3, 1}, Geometry{cu_seqlens.data(), nullptr, nullptr}, true, Write::assign,
                     scratch, &counters};
  std::vector<double> all(n * H + n * C + n * 3 * C, NAN);
  const Rows<double, H> lse(all.data(), n);
  const Rows<double, C> out(all.data() + n * H, n);
  const Rows<const double, 3 * C> in(qkv.data(), n);
  kernel::attention<Window>(at, in, 0.7, lse, out);
  kernel::attention_back<Window>(at, Rows<const double, C>(dout.data(), n), in, 0.7, Rows<const double, H>(lse),
                                 Rows<const double, C>(out), Rows<double, 3 * C>(out.data + n * C, n));
  return all;
}
}  // namespace

TEST_CASE("attention in a window: wider than any sentence it is none, to the bit; one row less shows") {
  const auto whole = numbers_of<0>(1);
  CHECK(whole == numbers_of<0>(3));
  CHECK(whole ==
        numbers_of<598>(1));  // the longest sentence has 300 rows: 299 places are between the first and the last
  CHECK(whole == numbers_of<2000000000>(3));
  CHECK(whole != numbers_of<596>(1));
  CHECK(numbers_of<20>(1) == numbers_of<20>(3));
}

namespace {
/// out and the gradient of query, key and value, of numbers that are in scripts/golden/attention.py too.
template <int Window> void against_torch() {
  constexpr int n = 17, H = 2, C = 6;
  std::ifstream file(std::string(ENTRAIN_SOURCE_DIR) + "/tests/kernel/golden/attention.txt");
  std::vector<double> expected;
  for (std::string line; expected.empty() && std::getline(file, line);) {
    std::istringstream words(line);
    if (std::string window; words >> window && window == std::to_string(Window))
      for (double v; words >> v;) expected.push_back(v);
  }
  REQUIRE(expected.size() == n * 4 * C);
  const auto numbers = [](int count, int first) {
    std::vector<double> v;
    for (int i = first; i < first + count; ++i) v.push_back(((i * 37 + i / 11) % 101 - 50) / 32.0);
    return v;
  };
  const Cpu dev(1);
  const auto qkv = numbers(n * 3 * C, 0), dout = numbers(n * C, 5000);
  const std::array<std::int32_t, 2> cu_seqlens{0, n};
  const Counters counters;
  std::vector<std::byte> memory(n * H * sizeof(double) + 256);
  Arena scratch{memory.data(), memory.size()};
  const Step<Cpu> at{dev,     Shape{n, 1, 1}, Geometry{cu_seqlens.data(), nullptr, nullptr}, false, Write::assign,
                     scratch, &counters};
  Framed<double> lse(n * H), made(n * 4 * C);
  const Rows<const double, 3 * C> in(qkv.data(), n);
  const Rows<double, C> out(made.data(), n);
  kernel::attention<Window>(at, in, 0.7, Rows<double, H>(lse.data(), n), out);
  kernel::attention_back<Window>(at, Rows<const double, C>(dout.data(), n), in, 0.7,
                                 Rows<const double, H>(lse.data(), n), Rows<const double, C>(out),
                                 Rows<double, 3 * C>(made.data() + n * C, n));
  CHECK(test::off(made, [&](std::size_t i) { return expected[i]; }) < 1e-10);
}
}  // namespace

TEST_CASE("attention in a window: as torch's scaled_dot_product_attention under ModernBERT's mask") {
  against_torch<0>();
  against_torch<2>();
  against_torch<8>();
  against_torch<32>();
}
