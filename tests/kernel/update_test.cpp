// tests > [kernel]
//
// The walk over values, gradients and moments against loops, with a rule that tells all of them apart.
#include "entrain/kernel/update/cpu.hpp"

#include <algorithm>
#include <cstring>

#include "entrain/kernel/gemm/bf16.hpp"
#include "tests/kernel/framed.hpp"

using namespace entrain;
using test::Framed;
using test::framed_noise;

namespace {
/// Every number that comes in counts in every number that goes out.
struct Mixed {
  template <class S> void operator()(S& value, S (&moment)[2], S gradient) const {
    const S v = value, a = moment[0], b = moment[1];
    value = v + a + a + b + b + b + gradient;
    moment[0] = a + gradient;
    moment[1] = b + b + gradient + v;
  }
};

template <class T> struct Numbers {
  Framed<T> value, gradient, first, second;
  explicit Numbers(std::size_t size)
      : value(framed_noise<T>(size, 1)),
        gradient(framed_noise<T>(size, 2)),
        first(framed_noise<T>(size, 3)),
        second(framed_noise<T>(size, 4)) {}
  kernel::ParameterRange<T, 2> range() {
    return {value.data(), gradient.data(), {first.data(), second.data()}, value.size()};
  }
};

/// cols = 0: all numbers at once, else a table of which every third row is touched.
template <class T> void against_loops(const device::Cpu<>& dev, std::size_t size, std::size_t cols) {
  CAPTURE(size);
  CAPTURE(cols);
  Numbers<T> numbers(size);
  const Numbers<T> before = numbers;
  std::vector<std::uint32_t> stamps;
  for (std::size_t row = 0; cols > 0 && row < size / cols; ++row) stamps.push_back(row % 3 == 1 ? 12 : 11);
  const auto touched = [&](std::size_t i) { return cols == 0 || i / cols % 3 == 1; };
  const kernel::Touched rows =
      cols == 0 ? kernel::Touched{} : kernel::Touched{stamps.data(), 12, static_cast<int>(stamps.size()), cols};
  const auto in = [&](const Framed<T>& f, std::size_t i) { return static_cast<double>(f[i]); };
  const auto g = [&](std::size_t i) { return touched(i) ? in(before.gradient, i) * 0.25 : 0; };

  double squares = 0;
  for (std::size_t i = 0; i < size; ++i) squares += touched(i) ? in(before.gradient, i) * in(before.gradient, i) : 0;
  CHECK(kernel::square_sum(dev, before.gradient.data(), size, rows) == doctest::Approx(squares).epsilon(1e-12));

  kernel::update(dev, Mixed{}, numbers.range(), T(0.25), rows);
  const double tolerance = sizeof(T) == 4 ? 1e-5 : 1e-14;
  CHECK(test::off(numbers.value, [&](std::size_t i) {
          return in(before.value, i) + 2 * in(before.first, i) + 3 * in(before.second, i) + g(i);
        }) < tolerance);
  CHECK(test::off(numbers.first, [&](std::size_t i) { return in(before.first, i) + g(i); }) < tolerance);
  CHECK(test::off(numbers.second,
                  [&](std::size_t i) { return 2 * in(before.second, i) + g(i) + in(before.value, i); }) < tolerance);
}
}  // namespace

TEST_CASE("update: every number once, dense ranges and tables, sizes around whole packs and blocks") {
  const device::Cpu<> one(1), three(3);
  for (std::size_t size : {0u, 1u, 7u, 8u, 16u, 63u, 65u, 640u, 8191u, 8192u, 8193u, 20011u}) {
    against_loops<double>(one, size, 0);
    against_loops<float>(three, size, 0);
  }
  for (std::size_t rows : {1u, 2u, 64u, 65u, 200u})
    for (std::size_t cols : {1u, 5u, 16u, 37u}) {
      against_loops<double>(three, rows * cols, cols);
      against_loops<float>(one, rows * cols, cols);
    }
}

TEST_CASE("update: a weight and the copy that products read") {
  constexpr int rows = 96, cols = 64;
  const device::Cpu<kernel::Bf16Gemm> dev(3);
  Numbers<float> numbers(rows * cols), alone = numbers;
  device::Cpu<>::Buffer<float> copy(rows * cols), wanted(rows * cols);
  const auto at = [](auto& buffer) { return reinterpret_cast<std::byte*>(buffer.data()); };
  kernel::update_weight(dev, Mixed{}, numbers.range(), 0.25f, rows, cols, at(copy));
  kernel::update(dev, Mixed{}, alone.range(), 0.25f, {});
  const kernel::detail::WeightCopy made(rows, cols);
  for (int part = 0; part < made.parts(); ++part) made.make(part, alone.value.data(), at(wanted));
  CHECK(std::memcmp(at(copy), at(wanted), rows * cols * sizeof(float)) == 0);
  for (const auto of : {&Numbers<float>::value, &Numbers<float>::first, &Numbers<float>::second})
    CHECK(std::equal((numbers.*of).data(), (numbers.*of).data() + rows * cols, (alone.*of).data()));

  Numbers<float> odd(48 * 33), same = odd;  // has no copy
  kernel::update_weight(dev, Mixed{}, odd.range(), 0.25f, 48, 33, nullptr);
  kernel::update(dev, Mixed{}, same.range(), 0.25f, {});
  CHECK(std::equal(odd.value.data(), odd.value.data() + 48 * 33, same.value.data()));
}
