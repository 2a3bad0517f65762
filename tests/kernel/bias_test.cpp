// tests > [kernel]
//
// Biases, their gradients, and the plain walks over rows, against loops.
#include "entrain/kernel/bias/cpu.hpp"

#include "entrain/kernel/map/cpu.hpp"
#include "tests/kernel/framed.hpp"

using namespace entrain;
using test::Framed;
using test::framed_noise;

namespace {
/// The number at row, column of a matrix whose rows are `stride` apart; `none` in the padding.
template <class F> auto in_rows(int stride, int cols, double none, F f) {
  return [=](std::size_t i) {
    const auto row = i / static_cast<std::size_t>(stride), column = i % static_cast<std::size_t>(stride);
    return column < static_cast<std::size_t>(cols) ? f(i, row, column) : none;
  };
}

template <class T> void bias_of_labels(const device::Cpu<>& dev, int n, int labels) {
  CAPTURE(n);
  CAPTURE(labels);
  const int stride = LabelMatrix<T>::padded(labels);
  const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(stride);
  const auto K = static_cast<std::size_t>(labels);
  const auto b = framed_noise<T>(K, 1);
  auto y = framed_noise<T>(size, 2);
  for (std::size_t i = 0; i < size; ++i)
    if (i % static_cast<std::size_t>(stride) >= K) y.data()[i] = T(7);
  const auto before = y;
  kernel::add_bias(dev, Weight<const T, 1, dynamic_labels>{b.data(), labels}, LabelMatrix<T>(y.data(), n, labels));
  CHECK(test::off(y, in_rows(stride, labels, 7, [&](std::size_t i, std::size_t, std::size_t column) {
                    return static_cast<double>(before[i] + b[column]);
                  })) == 0);
  std::vector<double> sums(K);
  for (std::size_t i = 0; i < size; ++i)
    if (const auto column = i % static_cast<std::size_t>(stride); column < K)
      sums[column] += static_cast<double>(before[i]);
  for (const Write how : {Write::assign, Write::add}) {
    Framed<T> g(K);
    if (how == Write::add) g = b;
    kernel::sum_rows(dev, LabelMatrix<const T>(before.data(), n, labels),
                     Weight<T, 1, dynamic_labels>{g.data(), labels}, how);
    CHECK(test::off(g, [&](std::size_t k) { return sums[k] + (how == Write::add ? static_cast<double>(b[k]) : 0); }) <
          (sizeof(T) == 4 ? 1e-4 : 1e-12));
  }
}
template <int C> void walks(const device::Cpu<>& dev, int n) {
  CAPTURE(n);
  const auto x = framed_noise<double>(static_cast<std::size_t>(n) * C, 1);
  auto y = framed_noise<double>(x.size(), 2);
  const auto before = y;
  const Rows<const double, C> from(x.data(), n);
  kernel::add(dev, from, Rows<double, C>(y.data(), n));
  CHECK(test::off(y, [&](std::size_t i) { return before[i] + x[i]; }) == 0);
  kernel::copy(dev, from, Rows<double, C>(y.data(), n));
  CHECK(test::off(y, [&](std::size_t i) { return x[i]; }) == 0);
}
}  // namespace

TEST_CASE("bias: added to every row and summed over all, at every width; padding stays") {
  const device::Cpu<> one(1), three(3);
  for (int n : {0, 1, 129, 260})
    for (int labels : {1, 5, 8, 16, 31, 32, 33, 63, 64, 70, 129}) {
      bias_of_labels<double>(n % 2 == 0 ? one : three, n, labels);
      bias_of_labels<float>(three, n, labels);
    }
}

TEST_CASE("copy and add: every number once, blocks of rows over threads") {
  const device::Cpu<> one(1), three(3);
  for (int n : {0, 1, 3, 256, 257, 600}) {
    walks<5>(one, n);
    walks<16>(three, n);
  }
}

TEST_CASE("bias: nothing after the last number is read") {  // by the address sanitizer, which watches a vector's end
  const device::Cpu<> dev(1);
  const auto ends_whole = [&]<int C>(std::integral_constant<int, C>) {
    const std::vector<double> dy(3 * C, 1.0);
    std::vector<double> g(C);
    kernel::sum_rows(dev, Rows<const double, C>(dy.data(), 3), Weight<double, 1, C>{g.data()}, Write::assign);
    CHECK(g == std::vector<double>(C, 3.0));
  };
  ends_whole(std::integral_constant<int, 5>{});
  ends_whole(std::integral_constant<int, 13>{});  // a pack and a part of one, whatever the registers hold
  ends_whole(std::integral_constant<int, 23>{});
}

TEST_CASE("memory for sums over ranges of rows is never less for more rows") {
  for (int n = 0, before = 0; n < 20000; ++n) {
    const auto cut = kernel::detail::fused_ranges(n);
    const int room = kernel::detail::fused_ranges_at_most(n);
    CHECK((cut.count <= room && before <= room && room <= 128));
    CHECK((cut.count * cut.rows >= n && (cut.count - 1) * cut.rows < n && cut.rows >= 32));
    before = room;
  }
  Arena measured;
  CHECK(kernel::take_parts<float, 3>(measured, 4097).n == 125);
  CHECK(measured.peak == 128 * 3 * sizeof(float));
}
