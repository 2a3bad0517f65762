// tests > [kernel]
//
// Sums of table rows and their adjoint against loops: stripes, repeated rows, stamps.
#include "entrain/kernel/hash_embed/cpu.hpp"

#include "tests/kernel/framed.hpp"

using namespace entrain;
using test::Framed;
using test::framed_noise;

namespace {
/// H rows of a table [R,C] a word, into a stripe of rows of width W that begins at `column`.
template <class T, int H, int R, int C, int W> void against_loops(const device::Cpu<>& dev, int n, int column) {
  CAPTURE(n);
  CAPTURE(C);
  const int stride = H + 3;
  constexpr auto numbers = static_cast<std::size_t>(R) * C;
  const auto N = static_cast<std::size_t>(n);
  const double tolerance = sizeof(T) == 4 ? 1e-4 : 1e-12;
  Random random(5);
  Framed<std::int32_t> rows(N * stride);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (i % stride < H) rows.data()[i] = static_cast<std::int32_t>(random.below(R - 1));  // no id selects the last row
  const auto row_of = [&](std::size_t u, std::size_t h) { return static_cast<std::size_t>(rows[u * stride + h]); };

  const auto table = framed_noise<T>(numbers, 1);
  Framed<T> y(N * W);
  for (std::size_t i = 0; i < y.size(); ++i) y.data()[i] = T(7);
  kernel::hash_embed<H>(dev, Table<const T, R, C>{table.data()}, rows.data(), stride, column, Rows<T, W>(y.data(), n));
  CHECK(test::off(y, [&](std::size_t i) {
          const int c = static_cast<int>(i % W) - column;
          if (c < 0 || c >= C) return 7.;
          double sum = 0;
          for (std::size_t h = 0; h < H; ++h)
            sum += static_cast<double>(table[row_of(i / W, h) * C + static_cast<std::size_t>(c)]);
          return sum;
        }) < tolerance);

  // CsrIndex as the packer makes them.
  std::vector<std::int32_t> ids, starts{0}, items;
  for (std::int32_t id = 0; id < R; ++id) {
    for (std::size_t u = 0; u < N; ++u)
      for (std::size_t h = 0; h < H; ++h)
        if (row_of(u, h) == static_cast<std::size_t>(id)) items.push_back(static_cast<std::int32_t>(u * H + h));
    if (static_cast<int>(items.size()) > starts.back()) {
      ids.push_back(id);
      starts.push_back(static_cast<std::int32_t>(items.size()));
    }
  }
  const CsrIndex segments{ids.data(), starts.data(), items.data(), static_cast<int>(ids.size())};
  const auto dy = framed_noise<T>(N * W, 2);
  std::vector<double> expected(numbers);
  for (std::size_t u = 0; u < N; ++u)
    for (std::size_t h = 0; h < H; ++h)
      for (std::size_t c = 0; c < C; ++c)
        expected[row_of(u, h) * C + c] += static_cast<double>(dy[u * W + static_cast<std::size_t>(column) + c]);
  const auto touched = [&](std::size_t row) {
    return std::find(ids.begin(), ids.end(), static_cast<std::int32_t>(row)) != ids.end();
  };

  const Counters counters{.seed = 1, .step = 4};
  test::OwnedArena memory(64);
  const Step<device::Cpu<>> at{dev, {n, 1, 0}, {}, true, Write::assign, memory.arena, &counters};
  Framed<T> g(numbers);
  Framed<std::uint32_t> stamps(R);
  for (std::size_t row = 0; row < R; ++row) stamps.data()[row] = 4;  // of the step before
  for (std::size_t i = 0; i < g.size(); ++i) g.data()[i] = T(9);
  for (int times : {1, 2, 3}) {  // the first write of a step assigns, later ones add
    kernel::hash_embed_back<H>(at, Rows<const T, W>(dy.data(), n), column, segments,
                               Table<T, R, C>{g.data(), stamps.data()});
    CHECK(test::off(g, [&](std::size_t i) { return touched(i / C) ? times * expected[i] : 9.; }) < times * tolerance);
    CHECK(test::off(stamps, [&](std::size_t row) { return touched(row) ? 5 : 4; }) == 0);
  }
}
}  // namespace

TEST_CASE("hash_embed: stripes are sums of rows, gradients go back to them, widths around whole packs") {
  const device::Cpu<> one(1), three(3);
  for (int n : {0, 1, 3, 65, 200}) {
    against_loops<double, 4, 90, 3, 9>(one, n, 2);
    against_loops<double, 4, 90, 19, 30>(three, n, 11);
    against_loops<float, 2, 300, 32, 40>(three, n, 0);
  }
}
