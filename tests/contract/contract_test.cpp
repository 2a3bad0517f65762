// tests > [contract]
//
// The layer contract, rehearsed: everything that transformers and a second device will ask of it, on tiny blocks.
#include <doctest/doctest.h>

#include "entrain/layer/frozen.hpp"
#include "entrain/layer/frozen_first.hpp"
#include "entrain/layer/recompute.hpp"
#include "entrain/layer/sequence.hpp"
#include "entrain/layer/shared.hpp"
#include "entrain/layer/stack.hpp"
#include "tests/check_layer.hpp"
#include "tests/contract/block.hpp"

using namespace entrain;
using namespace entrain::rehearsal;
using layer::Frozen;
using layer::FrozenFirst;
using layer::Recompute;
using layer::Sequence;
using layer::Shared;
using layer::Stack;

namespace {
using Block = FeedForwardNorm<8, 16>;
const Loops loops;

template <class Net> test::GradientReport checked(const std::vector<int>& lengths = {3, 1, 4}) {
  return test::checked<Net>(loops, lengths);
}
}  // namespace

TEST_CASE("Contract: gradients, planned bytes and accumulation of every composition") {
  for (const std::vector<int>& lengths : {std::vector<int>{3, 1, 4}, {1}, {1, 1}, {}, {127}}) {
    checked<Linear<8, 6>>(lengths);
    checked<Block>(lengths);
    checked<Stack<4, Block>>(lengths);
  }
  checked<Shared<4, Block>>();
  checked<Recompute<Stack<3, Block>>>();
  checked<Sequence<Linear<12, 8>, Stack<2, Block>, Linear<8, 5>>>();
}

TEST_CASE("Contract: recomputation gives the same bits and keeps less") {
  const auto plain = checked<Stack<4, Block>>();
  const auto whole = checked<Recompute<Stack<4, Block>>>();
  const auto each = checked<Stack<4, Recompute<Block>>>();
  CHECK(plain.gradients == whole.gradients);
  CHECK(plain.gradients == each.gradients);
  CHECK(each.saved < plain.saved / 3);
  CHECK(whole.saved == 0);
  CHECK(each.flops > plain.flops);
}

TEST_CASE("Contract: sharing weights adds the gradients of every use") {
  const auto shared = layout_of<Shared<4, Block>>(0);
  const auto stack = layout_of<Stack<4, Block>>(0);
  CHECK(shared.size * 4 == stack.size);
}

TEST_CASE_TEMPLATE("Contract: frozen parts make no gradients and keep what is needed only", Net,
                   Sequence<Linear<12, 8>, Frozen<Stack<2, Block>>, Linear<8, 5>>,
                   Sequence<Frozen<Linear<12, 8>>, Stack<2, Block>, Linear<8, 5>>,
                   Sequence<Linear<12, 8>, Stack<2, Block>, Frozen<Linear<8, 5>>>,
                   Sequence<Linear<12, 8>, FrozenFirst<2, Stack<3, Block>>, Linear<8, 5>>,
                   Sequence<Frozen<Linear<12, 8>>, FrozenFirst<2, Stack<3, Block>>, Linear<8, 5>>) {
  using Real = Impl<Net, precision::Fp64, Loops, Needs{true, false}>;
  const test::Sentences sentences({3, 1, 4});
  const Shape shape = sentences.shape();
  const Layout layout = layout_of<Net>(0);
  auto params = test::noise(layout.size, 1);
  const auto x = test::noise(static_cast<std::size_t>(shape.rows) * Net::in, 2);
  const auto r = test::noise(static_cast<std::size_t>(shape.rows) * Net::out, 3);
  std::vector<double> y(r.size()), grads(layout.gradients, NAN);
  const Counters counters{.seed = 42};
  test::OwnedArena memory(1 << 20);
  const auto run = [&](bool back) {
    memory.arena.used = 0;
    const Step<Loops> at{loops, shape, sentences.geometry(), true, Write::assign, memory.arena, &counters};
    const auto w = bind<Net, const double>(params.data(), 0);
    auto saved = Real::allocate_saved(memory.arena, shape);
    Real::forward(at, w, {x.data(), shape.rows}, {y.data(), shape.rows}, saved);
    if (back)
      Real::backward(at, w, saved, {r.data(), shape.rows}, {nullptr, shape.rows}, Write::assign,
                     bind<Net, double>(grads.data(), 0));
    double loss = 0;
    for (std::size_t i = 0; i < y.size(); ++i) loss += y[i] * r[i];
    return loss;
  };
  run(true);
  int frozen = 0, trained = 0;
  std::size_t numbers = 0;
  for (const Span& s : layout.spans) {
    ++(s.frozen ? frozen : trained);
    if (s.frozen) continue;
    CHECK(s.gradient_offset == numbers);  // nothing is set aside for what is frozen
    numbers += detail::aligned(s.size());
    for (std::size_t i = 0; i < s.size(); i += 7) {
      const double keep = params[s.offset + i], gradient = grads[s.gradient_offset + i];
      params[s.offset + i] = keep + 1e-5;
      const double up = run(false);
      params[s.offset + i] = keep - 1e-5;
      const double down = run(false);
      params[s.offset + i] = keep;
      CHECK(std::abs((up - down) / 2e-5 - gradient) < 1e-7 * (1 + std::abs(gradient)));
    }
  }
  CHECK(numbers == layout.gradients);
  CHECK(frozen >= 2);
  CHECK(trained >= 2);
}

TEST_CASE("Contract: a stack whose first blocks are frozen has the stack's names, places and heights") {
  const Layout whole = layout_of<Stack<4, Block>>(0), part = layout_of<FrozenFirst<3, Stack<4, Block>>>(0);
  REQUIRE(whole.spans.size() == part.spans.size());
  CHECK(whole.size == part.size);
  CHECK(part.gradients * 4 == whole.gradients);
  CHECK(part.height == 4);
  for (std::size_t i = 0; i < whole.spans.size(); ++i) {
    CHECK(whole.spans[i].name == part.spans[i].name);
    CHECK(whole.spans[i].offset == part.spans[i].offset);
    CHECK(whole.spans[i].height == part.spans[i].height);
    CHECK(part.spans[i].height == 1 + static_cast<int>(i * 4 / whole.spans.size()));
    CHECK(part.spans[i].frozen == (part.spans[i].height <= 3));
  }
}

TEST_CASE("Contract: a frozen bottom keeps nothing for backward") {
  using Open = Sequence<Stack<6, Block>, Stack<2, Block>>;
  using Closed = Sequence<Frozen<Stack<6, Block>>, Stack<2, Block>>;
  Arena open, closed, first;
  Impl<Open, precision::Fp32, device::Plan, Needs{true, false}>::allocate_saved(open, {1000, 1, 0});
  Impl<Closed, precision::Fp32, device::Plan, Needs{true, false}>::allocate_saved(closed, {1000, 1, 0});
  Impl<FrozenFirst<6, Stack<8, Block>>, precision::Fp32, device::Plan, Needs{true, false}>::allocate_saved(
      first, {1000, 1, 0});
  CHECK(closed.used * 3 < open.used);
  CHECK(first.used == closed.used);
}

TEST_CASE("Contract: a head over run-time labels") {
  using Head = LabelHead<8>;
  using Real = Impl<Head, precision::Fp64, Loops>;
  for (int labels : {1, 9, 33}) {
    const test::Sentences sentences({3, 1, 4});
    const Shape shape = sentences.shape(labels);
    const Layout layout = layout_of<Head>(labels);
    CHECK(layout.spans[0].rows == labels);
    CHECK(layout.spans[1].cols == labels);
    auto params = test::noise(layout.size, 1);
    auto x = test::noise(static_cast<std::size_t>(shape.rows) * 8, 2);
    std::vector<std::int32_t> target(static_cast<std::size_t>(shape.rows));
    for (std::size_t n = 0; n < target.size(); ++n) target[n] = static_cast<std::int32_t>(n * 5) % labels;
    std::vector<double> grads(layout.size, NAN), dx(x.size(), NAN);
    test::OwnedArena memory(1 << 20);
    const auto run = [&](bool back) {
      memory.arena.used = 0;
      const Step<Loops> at{loops, shape, sentences.geometry(), true, Write::assign, memory.arena, nullptr};
      const auto w = bind<Head, const double>(params.data(), labels);
      auto saved = Real::allocate_saved(memory.arena, shape);
      const double loss = Real::forward(at, w, {x.data(), shape.rows}, target.data(), saved);
      if (back)
        Real::backward(at, w, saved, target.data(), {dx.data(), shape.rows}, bind<Head, double>(grads.data(), labels));
      return loss;
    };
    run(true);
    const auto check = [&](std::vector<double>& v, std::size_t i, double gradient) {
      const double keep = v[i];
      v[i] = keep + 1e-5;
      const double up = run(false);
      v[i] = keep - 1e-5;
      const double down = run(false);
      v[i] = keep;
      CHECK(std::abs((up - down) / 2e-5 - gradient) < 1e-7 * (1 + std::abs(gradient)));
    };
    for (std::size_t i = 0; i < x.size(); i += 3) check(x, i, dx[i]);
    for (const Span& s : layout.spans)
      for (std::size_t i = 0; i < s.size(); i += 5) check(params, s.offset + i, grads[s.offset + i]);
  }
}

TEST_CASE("Contract: storage in 16 bits walks the same path and lands near fp32") {
  using Net = Sequence<Linear<12, 8>, Stack<2, Block>, Linear<8, 5>>;
  const test::Sentences sentences({3, 1, 4});
  const Shape shape = sentences.shape();
  const Layout layout = layout_of<Net>(0);
  const auto params = test::noise(layout.size, 1);
  const auto x = test::noise(static_cast<std::size_t>(shape.rows) * 12, 2);
  const auto r = test::noise(static_cast<std::size_t>(shape.rows) * 5, 3);
  const Counters counters{.seed = 42};
  const auto gradients = [&]<class P>(P) {
    using A = typename P::Activation;
    using Real = Impl<Net, P, Loops, Needs{true, true}>;
    std::vector<A> p(params.size()), xs(x.size()), rs(r.size()), y(r.size()), dx(x.size());
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = static_cast<A>(params[i]);
    for (std::size_t i = 0; i < xs.size(); ++i) xs[i] = static_cast<A>(x[i]);
    for (std::size_t i = 0; i < rs.size(); ++i) rs[i] = static_cast<A>(r[i]);
    std::vector<typename P::Sum> grads(layout.size, 0);
    test::OwnedArena memory(1 << 20);
    const Step<Loops> at{loops, shape, sentences.geometry(), true, Write::assign, memory.arena, &counters};
    const auto w = bind<Net>(Values<A>{p.data()}, 0);
    auto saved = Real::allocate_saved(memory.arena, shape);
    Real::forward(at, w, {xs.data(), shape.rows}, {y.data(), shape.rows}, saved);
    Real::backward(at, w, saved, {rs.data(), shape.rows}, {dx.data(), shape.rows}, Write::assign,
                   bind<Net, typename P::Sum>(grads.data(), 0));
    return std::vector<double>(grads.begin(), grads.end());
  };
  const auto exact = gradients(precision::Fp64{}), single = gradients(precision::Fp32{}),
             small = gradients(precision::Bf16Mixed{}), finer = gradients(precision::Fp16Mixed{});
  const auto distance = [&](const std::vector<double>& a) {
    double d = 0, norm = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      d += (a[i] - exact[i]) * (a[i] - exact[i]);
      norm += exact[i] * exact[i];
    }
    return std::sqrt(d / norm);
  };
  CHECK(distance(single) < 1e-5);
  CHECK(distance(small) < 3e-2);
  CHECK(distance(small) > 1e-4);  // it really was bf16
  CHECK(distance(finer) < 4e-3);
  CHECK(distance(finer) > 1e-5);
}
