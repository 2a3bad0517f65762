// tests > [kernel]
//
// Row kernels against plain loops: what a layer's gradient check does not see (masks, borders, order, threads).
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/dropout/cpu.hpp"
#include "entrain/kernel/gather/cpu.hpp"
#include "entrain/kernel/layer_norm/cpu.hpp"
#include "entrain/kernel/maxout/cpu.hpp"
#include "entrain/kernel/window/cpu.hpp"
#include "tests/kernel/framed.hpp"

using namespace entrain;

namespace {
template <class T> std::vector<T> random(std::size_t n, std::uint64_t seed) {
  const auto v = test::noise(n, seed);
  return std::vector<T>(v.begin(), v.end());
}
}  // namespace

TEST_CASE("dropout: the bits are those of the contract, channel by channel, and the rate is kept") {
  constexpr int C = 83, n = 301;
  const device::Cpu<> dev(2);
  const Counters counters{.seed = 0x123456789abcull, .step = 7, .micro_batch = 2, .dropout = 0.3f};
  test::OwnedArena memory(64);
  const Step<device::Cpu<>> at{dev, {n, 1, 0}, {}, true, Write::assign, memory.arena, &counters, 41};
  const auto x = random<float>(std::size_t(C) * n, 1);
  std::vector<float> y(x.size());
  kernel::dropout(at, Rows<const float, C>(x.data(), n), Rows<float, C>(y.data(), n), Write::assign);
  const std::uint32_t limit = 19661;  // 0.3 * 65536, rounded
  int dropped = 0;
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < C; ++c) {
      const auto words = kernel::dropout_words(counters, 41, r, c / 8);
      const std::uint32_t bits = words[c % 8 / 2] >> (c % 2 * 16) & 0xFFFF;
      const std::size_t i = std::size_t(r) * C + std::size_t(c);
      const float expected = bits < limit ? 0 : x[i] * (1 / (1 - float(limit) / 65536));
      REQUIRE(y[i] == doctest::Approx(expected));
      dropped += y[i] == 0;
    }
  CHECK(std::abs(dropped / double(C * n) - 0.3) < 0.01);

  // Another step, rng_stream, micro-batch or seed: other bits.
  const auto same = [&](Counters other, RngStream rng_stream) {
    std::vector<float> z(x.size());
    const Step<device::Cpu<>> there{dev, {n, 1, 0}, {}, true, Write::assign, memory.arena, &other, rng_stream};
    kernel::dropout(there, Rows<const float, C>(x.data(), n), Rows<float, C>(z.data(), n), Write::assign);
    int equal = 0;
    for (std::size_t i = 0; i < z.size(); ++i) equal += (z[i] == 0) == (y[i] == 0);
    return equal / double(z.size());
  };
  auto other = counters;
  CHECK(same(other, 41) == 1);
  CHECK(same(other, 42) < 0.7);
  other.step = 8;
  CHECK(same(other, 41) < 0.7);
  other = counters, other.micro_batch = 3;
  CHECK(same(other, 41) < 0.7);
  other = counters, other.seed ^= 1ull << 40;
  CHECK(same(other, 41) < 0.7);
}

TEST_CASE("maxout: the first of equals wins, on packs and on the rest") {
  constexpr int C = 11, K = 3;
  const device::Cpu<> dev(1);
  std::vector<float> pre(K * C, 1.0f), bias(K * C, 0.0f), y(C), back(K * C, NAN);
  std::vector<std::uint8_t> which(C, 9);
  pre[2 * C + 4] = 2;    // piece 2 wins channel 4
  bias[1 * C + 10] = 3;  // piece 1 wins channel 10, by its bias
  kernel::maxout<K>(dev, Rows<const float, K * C>(pre.data(), 1), Weight<const float, 1, K * C>{bias.data()},
                    Rows<float, C>(y.data(), 1), Rows<std::uint8_t, C>(which.data(), 1));
  for (int c = 0; c < C; ++c) CHECK(which[std::size_t(c)] == (c == 4 ? 2 : c == 10 ? 1 : 0));
  CHECK(y[4] == 2);
  CHECK(y[10] == 4);
  kernel::maxout_back<K>(dev, Rows<const float, C>(y.data(), 1), Rows<const std::uint8_t, C>(which.data(), 1),
                         Rows<float, K * C>(back.data(), 1));
  for (int p = 0; p < K; ++p)
    for (int c = 0; c < C; ++c)
      CHECK(back[std::size_t(p * C + c)] == (which[std::size_t(c)] == p ? y[std::size_t(c)] : 0));
}

TEST_CASE("window: never across a sentence border, and the adjoint is the transpose") {
  constexpr int C = 5, R = 2;
  const device::Cpu<> dev(2);
  const test::Sentences s({1, 4, 2, 70});
  const int n = s.rows();
  test::OwnedArena memory(64);
  const Step<device::Cpu<>> at{dev, s.shape(), s.geometry(), true, Write::assign, memory.arena};
  const auto x = random<double>(std::size_t(n) * C, 1), r = random<double>(std::size_t(n) * C * 5, 2);
  std::vector<double> y(r.size(), NAN), dx(x.size(), NAN);
  kernel::window<R>(at, Rows<const double, C>(x.data(), n), Rows<double, 5 * C>(y.data(), n));
  for (int b = 0; b < s.count(); ++b) {
    const int first = s.cu_seqlens[std::size_t(b)], last = s.cu_seqlens[std::size_t(b) + 1];
    for (int i = first; i < last; ++i)
      for (int k = -R; k <= R; ++k)
        for (int c = 0; c < C; ++c) {
          const bool inside = i + k >= first && i + k < last;
          CHECK(y[std::size_t((i * 5 + k + R) * C + c)] == (inside ? x[std::size_t((i + k) * C + c)] : 0));
        }
  }
  kernel::window_back<R>(at, Rows<const double, 5 * C>(r.data(), n), Rows<double, C>(dx.data(), n), Write::assign);
  double a = 0, b = 0;  // <window(x), r> == <x, window_back(r)>
  for (std::size_t i = 0; i < y.size(); ++i) a += y[i] * r[i];
  for (std::size_t i = 0; i < x.size(); ++i) b += x[i] * dx[i];
  CHECK(a == doctest::Approx(b).epsilon(1e-12));
}

TEST_CASE("gather and scatter_add: transposes of each other; rows without items stay") {
  constexpr int C = 13;
  const device::Cpu<> dev(3);
  const std::vector<std::int32_t> index{2, 0, 2, 2, 4}, ids{0, 2, 4}, starts{0, 1, 4, 5}, items{1, 0, 2, 3, 4};
  const auto x = random<float>(5 * C, 1), dy = random<float>(5 * C, 2);
  std::vector<float> y(5 * C, NAN), dx(5 * C, 77.0f);
  kernel::gather(dev, Rows<const float, C>(x.data(), 5), index.data(), Rows<float, C>(y.data(), 5));
  for (std::size_t n = 0; n < 5; ++n)
    for (std::size_t c = 0; c < C; ++c) CHECK(y[n * C + c] == x[std::size_t(index[n]) * C + c]);
  kernel::scatter_add(dev, Rows<const float, C>(dy.data(), 5), CsrIndex{ids.data(), starts.data(), items.data(), 3},
                      Rows<float, C>(dx.data(), 5));
  for (std::size_t c = 0; c < C; ++c) {
    CHECK(dx[0 * C + c] == dy[1 * C + c]);
    CHECK(dx[2 * C + c] == dy[0 * C + c] + dy[2 * C + c] + dy[3 * C + c]);
    CHECK(dx[1 * C + c] == 77.0f);
  }
}

namespace {
template <class T, int K, int C> void maxout_against_loops(const device::Cpu<>& dev, int n) {
  CAPTURE(n);
  CAPTURE(C);
  const auto N = static_cast<std::size_t>(n);
  const auto pre = test::framed_noise<T>(N * K * C, 1), bias = test::framed_noise<T>(K * C, 2),
             dy = test::framed_noise<T>(N * C, 3);
  test::Framed<T> y(N * C), dpre(N * K * C);
  test::Framed<std::uint8_t> which(N * C);
  kernel::maxout<K>(dev, Rows<const T, K * C>(pre.data(), n), Weight<const T, 1, K * C>{bias.data()},
                    Rows<T, C>(y.data(), n), Rows<std::uint8_t, C>(which.data(), n));
  const auto value = [&](std::size_t i, std::size_t p) {
    return pre[(i / C * K + p) * C + i % C] + bias[p * C + i % C];
  };
  const auto winner = [&](std::size_t i) {
    std::size_t best = 0;
    for (std::size_t p = 1; p < K; ++p) best = value(i, p) > value(i, best) ? p : best;
    return best;
  };
  CHECK(test::off(y, [&](std::size_t i) { return value(i, winner(i)); }) == 0);
  CHECK(test::off(which, winner) == 0);
  kernel::maxout_back<K>(dev, Rows<const T, C>(dy.data(), n), Rows<const std::uint8_t, C>(which.data(), n),
                         Rows<T, K * C>(dpre.data(), n));
  CHECK(test::off(dpre, [&](std::size_t i) {
          const std::size_t at = i / (K * C) * C + i % C;
          return i / C % K == which[at] ? dy[at] : T(0);
        }) == 0);
}

template <int R, int C> void window_against_loops(const device::Cpu<>& dev, const std::vector<int>& lengths) {
  CAPTURE(C);
  constexpr std::size_t parts = 2 * R + 1;
  const test::Sentences s(lengths);
  const int n = s.rows();
  const auto N = static_cast<std::size_t>(n);
  std::vector<std::size_t> sentence;
  for (std::size_t b = 0; b < lengths.size(); ++b) sentence.insert(sentence.end(), std::size_t(lengths[b]), b);
  /// The row that part p of row `row` shows, or none.
  const auto seen = [&](std::size_t row, std::size_t p) {
    const std::size_t other = row + p - R;  // wraps below 0, and is then no row
    return row + p >= R && other < N && sentence[other] == sentence[row] ? other : std::size_t(-1);
  };
  test::OwnedArena memory(64);
  const Step<device::Cpu<>> at{dev, s.shape(), s.geometry(), true, Write::assign, memory.arena};
  const auto x = test::framed_noise<double>(N * C, 1), dy = test::framed_noise<double>(N * parts * C, 2);
  test::Framed<double> y(N * parts * C);
  kernel::window<R>(at, Rows<const double, C>(x.data(), n), Rows<double, int(parts) * C>(y.data(), n));
  CHECK(test::off(y, [&](std::size_t i) {
          const std::size_t other = seen(i / C / parts, i / C % parts);
          return other == std::size_t(-1) ? 0 : x[other * C + i % C];
        }) == 0);
  std::vector<double> expected(N * C);
  for (std::size_t i = 0; i < dy.size(); ++i)
    if (const std::size_t other = seen(i / C / parts, i / C % parts); other != std::size_t(-1))
      expected[other * C + i % C] += dy[i];
  for (const Write how : {Write::assign, Write::add}) {
    test::Framed<double> dx(N * C);
    if (how == Write::add) dx = x;
    kernel::window_back<R>(at, Rows<const double, int(parts) * C>(dy.data(), n), Rows<double, C>(dx.data(), n), how);
    CHECK(test::off(dx, [&](std::size_t i) { return expected[i] + (how == Write::add ? x[i] : 0); }) < 1e-13);
  }
}

template <int C> void gather_against_loops(const device::Cpu<>& dev, int n, int rows) {
  CAPTURE(n);
  CAPTURE(C);
  Random random(3);
  test::Framed<std::int32_t> index(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < index.size(); ++i)  // row 0 is not asked for
    index.data()[i] = 1 + static_cast<std::int32_t>(random.below(std::uint32_t(rows - 1)));
  const auto x = test::framed_noise<double>(std::size_t(rows) * C, 1),
             dy = test::framed_noise<double>(std::size_t(n) * C, 2);
  test::Framed<double> y(dy.size()), dx(x.size());
  kernel::gather(dev, Rows<const double, C>(x.data(), rows), index.data(), Rows<double, C>(y.data(), n));
  CHECK(test::off(y, [&](std::size_t i) { return x[std::size_t(index[i / C]) * C + i % C]; }) == 0);
  std::vector<std::int32_t> ids, starts{0}, items;
  std::vector<double> expected(x.size(), 7);
  for (std::int32_t id = 0; id < rows; ++id) {
    for (std::int32_t i = 0; i < n; ++i)
      if (index[std::size_t(i)] == id) items.push_back(i);
    if (int(items.size()) == starts.back()) continue;
    ids.push_back(id);
    for (std::size_t c = 0; c < C; ++c) {
      double sum = 0;
      for (std::size_t k = std::size_t(starts.back()); k < items.size(); ++k) sum += dy[std::size_t(items[k]) * C + c];
      expected[std::size_t(id) * C + c] = sum;
    }
    starts.push_back(std::int32_t(items.size()));
  }
  for (std::size_t i = 0; i < dx.size(); ++i) dx.data()[i] = 7;
  kernel::scatter_add(dev, Rows<const double, C>(dy.data(), n),
                      CsrIndex{ids.data(), starts.data(), items.data(), int(ids.size())},
                      Rows<double, C>(dx.data(), rows));
  CHECK(test::off(dx, [&](std::size_t i) { return expected[i]; }) < 1e-13);
}

const Counters dropout_counters{.seed = 0x123456789abcull, .step = 7, .micro_batch = 2, .dropout = 0.3f};
std::uint32_t bits_of(int row, int c) {
  const auto words = kernel::dropout_words(dropout_counters, 41, row, c / 8);
  return words[c % 8 / 2] >> (c % 2 * 16) & 0xFFFF;
}
/// Every number, dropped or scaled, on blocks of four and on the rest; added to what was there, if asked.
template <class T, int C> void dropout_against_loops(const device::Cpu<>& dev, int n, float rate) {
  CAPTURE(n);
  CAPTURE(C);
  auto counters = dropout_counters;
  counters.dropout = rate;
  test::OwnedArena memory(64);
  const Step<device::Cpu<>> at{dev, {n, 1, 0}, {}, true, Write::assign, memory.arena, &counters, 41};
  const auto x = test::framed_noise<T>(std::size_t(n) * C, 1), before = test::framed_noise<T>(x.size(), 2);
  const double limit = std::floor(double(rate) * 65536 + 0.5);
  for (const Write how : {Write::assign, Write::add}) {
    test::Framed<T> y(x.size());
    if (how == Write::add) y = before;
    kernel::dropout(at, Rows<const T, C>(x.data(), n), Rows<T, C>(y.data(), n), how);
    CHECK(test::off(y, [&](std::size_t i) {
            const std::uint32_t bits = bits_of(int(i / C), int(i % C));
            return (bits < limit ? 0 : double(x[i]) / (1 - limit / 65536)) +
                   (how == Write::add ? double(before[i]) : 0);
          }) < (sizeof(T) == 4 ? 1e-5 : 1e-12));
  }
}
}  // namespace

TEST_CASE("maxout, window, gather and dropout against loops, number by number, widths around whole packs") {
  const device::Cpu<> one(1), three(3);
  for (int n : {0, 1, 65, 130}) {
    maxout_against_loops<double, 3, 5>(one, n);
    maxout_against_loops<double, 2, 16>(three, n);
    maxout_against_loops<float, 3, 19>(three, n);
    dropout_against_loops<double, 19>(one, n, 0.3f);
    dropout_against_loops<float, 32>(three, n, 0.5f);
    dropout_against_loops<float, 45>(three, n, 0.1f);
    // A number whose bits are the limit stays: one in a pack, one in the rest.
    dropout_against_loops<double, 19>(one, n, float(bits_of(0, 6)) / 65536);
    dropout_against_loops<double, 19>(one, n, float(bits_of(0, 18)) / 65536);
  }
  for (const auto& lengths : {std::vector<int>{}, {1}, {1, 1, 1}, {2, 1, 3, 5, 9}, {64, 66}}) {
    window_against_loops<1, 5>(one, lengths);
    window_against_loops<2, 16>(three, lengths);
    window_against_loops<3, 19>(three, lengths);
  }
  for (int n : {0, 1, 127, 300}) {
    gather_against_loops<13>(one, n, 20);
    gather_against_loops<16>(three, n, 200);
  }
}

TEST_CASE("layer_norm: mean 0 and variance 1 before gain and shift; constant rows stay finite") {
  constexpr int C = 37;
  const device::Cpu<> dev(1);
  auto x = random<float>(3 * C, 1);
  for (std::size_t c = 0; c < C; ++c) x[C + c] = 5;
  std::vector<float> gain(C, 2), shift(C, 1), y(3 * C, NAN), stat(6, NAN);
  kernel::layer_norm(dev, Rows<const float, C>(x.data(), 3), Weight<const float, 1, C>{gain.data()},
                     Weight<const float, 1, C>{shift.data()}, 1e-8, Rows<float, 2>(stat.data(), 3),
                     Rows<float, C>(y.data(), 3));
  double mean = 0, square = 0;
  for (std::size_t c = 0; c < C; ++c) {
    mean += (y[c] - 1) / 2 / C;
    square += (y[c] - 1) * (y[c] - 1) / 4 / C;
    CHECK(y[C + c] == doctest::Approx(1));
  }
  CHECK(std::abs(mean) < 1e-6);
  CHECK(square == doctest::Approx(1).epsilon(1e-4));
}

TEST_CASE("row sums: same bits for any number of threads") {
  constexpr int C = 96, n = 1000;
  const auto dy = random<float>(std::size_t(C) * n, 1);
  std::vector<float> first;
  for (int threads : {1, 2, 5}) {
    const device::Cpu<> dev(threads);
    std::vector<float> g(C, NAN);
    kernel::sum_rows(dev, Rows<const float, C>(dy.data(), n), Weight<float, 1, C>{g.data()}, Write::assign);
    if (first.empty()) first = g;
    CHECK(std::memcmp(first.data(), g.data(), g.size() * 4) == 0);
    double sum = 0;
    for (std::size_t r = 0; r < n; ++r) sum += dy[r * C + 95];
    CHECK(g[95] == doctest::Approx(sum).epsilon(1e-4));
  }
}
