// tests > [kernel]
#include "entrain/kernel/pool/cpu.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/gradient.hpp"

namespace pool_test {
using namespace entrain;

namespace {
constexpr int C = 19;
struct Pooled {
  std::vector<double> y, dx;
  std::vector<std::int32_t> from;
};
template <class By> Pooled run(const test::Sentences& sentences, std::vector<double> x, int threads = 2) {
  const device::Cpu<> dev(threads);
  test::OwnedArena memory(0);
  const Shape shape = sentences.shape();
  const Step<device::Cpu<>> at{dev, shape, sentences.geometry(), true, Write::assign, memory.arena};
  Pooled p;
  const auto numbers = static_cast<std::size_t>(shape.sentences) * C;
  p.y.assign(numbers, NAN), p.dx.assign(x.size(), NAN), p.from.assign(By::remembers_rows ? numbers : 0, -7);
  kernel::pool_rows<By>(at, Rows<const double, C>(x.data(), shape.rows), Rows<double, C>(p.y.data(), shape.sentences),
                        p.from.data());
  const auto dy = test::noise(numbers, 9);
  kernel::pool_rows_back<By>(at, Rows<const double, C>(dy.data(), shape.sentences), p.from.data(),
                             Rows<double, C>(p.dx.data(), shape.rows));
  return p;
}
/// f(sentence, channel, rows of it)
void each(const test::Sentences& sentences, auto&& f) {
  for (int s = 0; s < sentences.count(); ++s)
    for (int c = 0; c < C; ++c)
      f(static_cast<std::size_t>(s), static_cast<std::size_t>(c),
        static_cast<std::size_t>(sentences.cu_seqlens[static_cast<std::size_t>(s)]),
        static_cast<std::size_t>(sentences.cu_seqlens[static_cast<std::size_t>(s) + 1]));
}
}  // namespace

TEST_CASE("pool: mean, max and first of each sentence, and their adjoints, also of sentences without rows") {
  std::vector<int> lengths{1, 0, 4, 129, 0};
  for (int i = 0; i < 40; ++i) lengths.push_back(1 + i % 7);
  const test::Sentences sentences(lengths);
  const auto x = test::noise(static_cast<std::size_t>(sentences.rows()) * C, 4);
  const auto dy = test::noise(static_cast<std::size_t>(sentences.count()) * C, 9);
  const Pooled mean = run<pool::Mean>(sentences, x), max = run<pool::Max>(sentences, x),
               first = run<pool::First>(sentences, x);
  each(sentences, [&](std::size_t s, std::size_t c, std::size_t begin, std::size_t end) {
    double sum = 0, largest = -INFINITY;
    std::size_t at = begin;
    for (std::size_t n = begin; n < end; ++n) {
      sum += x[n * C + c];
      if (x[n * C + c] > largest) largest = x[n * C + c], at = n;
    }
    const std::size_t place = s * C + c;
    const double n = static_cast<double>(end - begin);
    if (begin == end) {
      CHECK((mean.y[place] == 0 && max.y[place] == 0 && first.y[place] == 0));
      return;
    }
    CHECK(mean.y[place] == doctest::Approx(sum / n).epsilon(1e-13));
    CHECK(max.y[place] == largest);
    CHECK(max.from[place] == static_cast<std::int32_t>(at));
    CHECK(first.y[place] == x[begin * C + c]);
    for (std::size_t row = begin; row < end; ++row) {
      CHECK(mean.dx[row * C + c] == doctest::Approx(dy[place] / n).epsilon(1e-13));
      CHECK(max.dx[row * C + c] == (row == at ? dy[place] : 0));
      CHECK(first.dx[row * C + c] == (row == begin ? dy[place] : 0));
    }
  });
  CHECK(run<pool::Mean>(sentences, x, 1).y == mean.y);
}

TEST_CASE("pool: of equal numbers the first is the largest, and a number that is none shows") {
  const test::Sentences sentences({3, 3});
  std::vector<double> x(6 * C, 1.0);
  x[4 * C + 2] = std::numeric_limits<double>::quiet_NaN();
  const Pooled max = run<pool::Max>(sentences, x), mean = run<pool::Mean>(sentences, x);
  CHECK(max.from[0] == 0);
  CHECK(max.from[C] == 3);
  CHECK(std::isnan(max.y[C + 2]));
  CHECK(max.from[C + 2] == 4);
  CHECK(std::isnan(mean.y[C + 2]));
  CHECK(max.y[2] == 1);
}

}  // namespace pool_test
