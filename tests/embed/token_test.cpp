// tests > [embed]
#include "entrain/embed/token.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "entrain/embed/floats.hpp"
#include "entrain/kernel/hash_embed/cpu.hpp"
#include "entrain/kernel/map/cpu.hpp"
#include "tests/gradient.hpp"

namespace token_test {
using namespace entrain;

namespace {
using Net = embed::Token<9, 6>;
using Cpu = device::Cpu<>;
using Real = Impl<Net, precision::Fp64, Cpu, Needs{true, false}>;
}  // namespace

TEST_CASE("Token: gradients match differences; untouched rows are neither written nor stamped; micro-batches add") {
  const Layout layout = layout_of<Net>(0);
  REQUIRE(layout.spans.size() == 1);
  CHECK(layout.spans[0].name == "weight");
  CHECK(layout.stamps == 9);
  for (const int n : {0, 1, 2, 129})
    for (const int threads : {1, 3}) {
      const Cpu dev(threads);
      std::vector<std::int32_t> ids;
      for (int i = 0; i < n; ++i) ids.push_back(i < 2 ? 8 : i * i % 7);  // never 3, 5 and 6
      Net::Features::Buffer buffer;
      const auto view = buffer.pack({}, ids, {}, {});
      auto params = test::noise(layout.size, 1);
      const auto r = test::noise(static_cast<std::size_t>(n) * 6, 3);
      std::vector<double> y(r.size()), grads(layout.size, 1e300);
      std::vector<std::uint32_t> stamps(layout.stamps, 0);
      Counters counters{.step = 3};
      test::OwnedArena memory(1 << 20);
      const Shape shape{n, 1, 0};
      const auto run = [&](bool back, Write how) {
        memory.arena.used = 0;
        const Step<Cpu> at{dev, shape, {}, true, how, memory.arena, &counters};
        const auto w = bind<Net, const double>(params.data(), 0);
        auto saved = Real::allocate_saved(memory.arena, shape);
        Real::forward(at, w, view, {y.data(), n}, saved);
        if (back) Real::backward(at, w, saved, view, {r.data(), n}, bind<Net, double>(grads.data(), 0, stamps.data()));
        double loss = 0;
        for (std::size_t i = 0; i < y.size(); ++i) loss += y[i] * r[i];
        return loss;
      };
      run(true, Write::assign);
      for (std::size_t i = 0; i < y.size(); ++i)
        CHECK(y[i] == params[static_cast<std::size_t>(ids[i / 6]) * 6 + i % 6]);
      int touched_rows = 0;
      for (std::size_t row = 0; row < 9; ++row) {
        bool touched = false;
        for (const std::int32_t id : ids) touched = touched || id == static_cast<std::int32_t>(row);
        touched_rows += touched;
        CHECK(stamps[row] == (touched ? 4u : 0u));
        for (std::size_t i = row * 6; i < row * 6 + 6; ++i) {
          CHECK((grads[i] == 1e300) == !touched);
          const double keep = params[i];
          params[i] = keep + 1e-5;
          const double up = run(false, Write::assign);
          params[i] = keep - 1e-5;
          const double down = run(false, Write::assign);
          params[i] = keep;
          const double gradient = touched ? grads[i] : 0;
          CHECK(std::abs((up - down) / 2e-5 - gradient) < 1e-7 * (1 + std::abs(gradient)));
        }
      }
      CHECK(view.touched.count == touched_rows);
      const auto once = grads;
      run(true, Write::add);
      for (std::size_t i = 0; i < grads.size(); ++i)
        if (once[i] < 1e299) CHECK(grads[i] == doctest::Approx(2 * once[i]));
      counters.step = 4;  // the next step assigns again, though nothing was zeroed
      run(true, Write::assign);
      for (std::size_t i = 0; i < grads.size(); ++i)
        if (once[i] < 1e299) CHECK(grads[i] == once[i]);
    }
}

TEST_CASE("Floats: rows are handed on in the precision's type, and have no parameters") {
  using Given = embed::Floats<5>;
  CHECK(layout_of<Given>(0).size == 0);
  for (const int n : {0, 1, 3000}) {
    std::vector<float> x;
    for (int i = 0; i < n * 5; ++i) x.push_back(static_cast<float>(i) / 7);
    const Given::Features::View view{n, x.data()};
    const auto run = [&]<class P, class A>(P, std::vector<A> y) {
      using To = Impl<Given, P, Cpu, Needs{false, false}>;
      const Cpu dev(3);
      test::OwnedArena memory(1 << 10);
      const Counters counters;
      const Step<Cpu> at{dev, {n, n, 0}, {}, true, Write::assign, memory.arena, &counters};
      typename To::Saved saved;
      To::forward(at, {}, view, {y.data(), n}, saved);
      for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == static_cast<A>(x[i]));
    };
    run(precision::Fp32(), std::vector<float>(x.size(), -1));
    run(precision::Fp64(), std::vector<double>(x.size(), -1));
  }
}

}  // namespace token_test
