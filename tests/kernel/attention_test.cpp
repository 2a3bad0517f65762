// tests > [kernel]
//
// Attention over packed rows against its formulas, number by number.
#include "entrain/kernel/attention/cpu.hpp"

#include "tests/kernel/framed.hpp"

using namespace entrain;
using test::Framed;
using test::framed_noise;

namespace {
using Cpu = device::Cpu<>;

/// The factor of one probability: kernel::dropout_words, one number at a time.
double factor(const Step<Cpu>& at, int query, int head, int key) {
  if (!at.training) return 1;
  const auto words = kernel::dropout_words(*at.counters, at.site, query, kernel::attention_block(head, key));
  const std::uint32_t bits = words[key % 8 / 2] >> (key % 2 * 16) & 0xFFFFu;
  const auto limit = static_cast<std::uint32_t>(at.counters->dropout * 65536.0f + 0.5f);
  return bits < limit ? 0 : 65536.0 / (65536.0 - limit);
}

template <class T, int H, int C>
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
        double total = 0, delta = 0;
        for (int j = cu_seqlens[s]; j < cu_seqlens[s + 1]; ++j) {
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
            outs[static_cast<std::size_t>(i * C + head * d + k)] +=
                m[j] * p[j] * x(cu_seqlens[s] + static_cast<int>(j), 2, head, k);
        }
        for (std::size_t j = 0; j < p.size(); ++j) {
          const int row = cu_seqlens[s] + static_cast<int>(j);
          const double ds = p[j] * (dp[j] - delta);
          for (int k = 0; k < d; ++k) {
            slope(i, 0, head, k) += scale * ds * x(row, 1, head, k);
            slope(row, 1, head, k) += scale * ds * x(i, 0, head, k);
            slope(row, 2, head, k) += m[j] * p[j] * dy(i, head, k);
          }
        }
      }
  CAPTURE(n);
  CAPTURE(training);

  Framed<T> out(N * C), lse(N * H), dqkv(N * 3 * C);
  const Rows<const T, 3 * C> input(qkv.data(), n);
  kernel::attention(at, input, scale, Rows<T, H>(lse.data(), n), Rows<T, C>(out.data(), n));
  CHECK(test::off(lse, [&](std::size_t i) { return norms[i]; }) < tolerance);
  CHECK(test::off(out, [&](std::size_t i) { return outs[i]; }) < tolerance);
  kernel::attention_back(at, Rows<const T, C>(dout.data(), n), input, scale, Rows<const T, H>(lse.data(), n),
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
