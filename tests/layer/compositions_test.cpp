// tests > [layer]
//
// What compositions keep between forward and backward, to the byte.
#include <doctest/doctest.h>

#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/layer_norm/cpu.hpp"
#include "entrain/layer/layer_norm.hpp"
#include "entrain/layer/linear.hpp"
#include "entrain/layer/recompute.hpp"
#include "entrain/layer/sequence.hpp"
#include "entrain/layer/shared.hpp"
#include "entrain/layer/stack.hpp"
#include "tests/check_layer.hpp"

using namespace entrain;
using layer::LayerNorm;
using layer::Linear;
using layer::Recompute;
using layer::Sequence;
using layer::Shared;
using layer::Stack;

namespace {
/// Bytes that [9, width] fp64 of each width take in an arena, one after the other.
template <int... widths> std::size_t bytes() {
  Arena empty;
  (take_rows<double, widths>(empty, 9), ...);
  return empty.used;
}
template <class Layer> std::size_t kept() { return test::checked<Layer>(device::Cpu<>(1), {4, 5}).saved; }
using Block = Sequence<Linear<9, 12>, LayerNorm<12>, Linear<12, 9>>;
}  // namespace

TEST_CASE("compositions keep the vectors between their parts, and nothing of the last one") {
  CHECK(kept<Linear<7, 12>>() == 0);
  CHECK(kept<LayerNorm<12>>() == bytes<2>());
  CHECK(kept<Sequence<Linear<7, 12>>>() == 0);
  CHECK(kept<Sequence<Linear<7, 12>, Linear<12, 5>>>() == bytes<12>());
  CHECK(kept<Block>() == bytes<12, 2, 12>());
  CHECK(kept<Stack<1, Linear<9, 9>>>() == 0);
  CHECK(kept<Stack<3, Linear<9, 9>>>() == bytes<9, 9>());
  CHECK(kept<Stack<2, Block>>() == bytes<12, 2, 12, 9, 12, 2, 12>());
  CHECK(kept<Shared<3, Linear<9, 9>>>() == bytes<9, 9>());
  CHECK(kept<Recompute<Block>>() == 0);
}

TEST_CASE("compositions: memory kept for more rows than a batch has") {
  // The trainer keeps for the largest batch and walks smaller ones in the same memory.
  using Net = Sequence<Stack<2, Block>, Shared<2, Block>, Linear<9, 4>>;
  using Real = Impl<Net, precision::Fp64, device::Cpu<>, Needs{true, true}>;
  const device::Cpu<> dev(1);
  const auto run = [&](int most) {
    const test::Sentences sentences({2, 3});
    const Layout layout = layout_of<Net>(0);
    const auto params = test::noise(layout.size, 1), x = test::noise(5 * 9, 2), r = test::noise(5 * 4, 3);
    std::vector<double> y(5 * 4), dx(5 * 9), grads(layout.size, 0);
    const Counters counters{.seed = 42};
    test::OwnedArena memory(1 << 20);
    auto saved = Real::allocate_saved(memory.arena, {most, 2, 0});
    const Step<device::Cpu<>> at{dev, {5, 2, 0}, sentences.geometry(), true, Write::assign, memory.arena, &counters};
    Real::forward(at, bind<Net, const double>(params.data(), 0), {x.data(), 5}, {y.data(), 5}, saved);
    Real::backward(at, bind<Net, const double>(params.data(), 0), saved, {r.data(), 5}, {dx.data(), 5}, Write::assign,
                   bind<Net, double>(grads.data(), 0));
    y.insert(y.end(), dx.begin(), dx.end());
    y.insert(y.end(), grads.begin(), grads.end());
    return y;
  };
  CHECK(run(5) == run(64));
}

TEST_CASE_TEMPLATE("compositions: parameters learn the same whether or not somebody below wants a gradient", Net,
                   Sequence<Linear<9, 6>, LayerNorm<6>, Linear<6, 9>>, Sequence<Linear<9, 9>>, Stack<3, Block>,
                   Shared<3, Block>, Recompute<Block>, Sequence<Recompute<Block>, Linear<9, 4>>) {
  const device::Cpu<> dev(1);
  const test::Sentences sentences({2, 3});
  const Layout layout = layout_of<Net>(0);
  const auto params = test::noise(layout.size, 1), x = test::noise(5 * 9, 2), r = test::noise(5 * Net::out, 3);
  const Counters counters{.seed = 42};
  const auto gradients = [&]<bool input>(std::bool_constant<input>) {
    using Real = Impl<Net, precision::Fp64, device::Cpu<>, Needs{true, input}>;
    std::vector<double> y(r.size()), dx(x.size()), grads(layout.size, 1e300);
    test::OwnedArena memory(1 << 20);
    const Step<device::Cpu<>> at{dev, {5, 2, 0}, sentences.geometry(), true, Write::assign, memory.arena, &counters};
    const auto w = bind<Net, const double>(params.data(), 0);
    auto saved = Real::allocate_saved(memory.arena, at.shape);
    Real::forward(at, w, {x.data(), 5}, {y.data(), 5}, saved);
    Real::backward(at, w, saved, {r.data(), 5}, {input ? dx.data() : nullptr, 5}, Write::assign,
                   bind<Net, double>(grads.data(), 0));
    return grads;
  };
  const auto with = gradients(std::true_type{}), without = gradients(std::false_type{});
  CHECK(with == without);
  for (const Span& s : layout.spans)
    for (std::size_t i = s.offset; i < s.offset + s.size(); ++i) CHECK(with[i] != 1e300);
}

TEST_CASE("a stack that no backward follows keeps what one block keeps, and gives the same bits") {
  const device::Cpu<> dev(1);
  const test::Sentences sentences({2, 7});
  const auto run = [&]<int N, Needs needs>(auto&& bits) {
    using Net = Stack<N, Block>;
    using Real = Impl<Net, precision::Fp64, device::Cpu<>, needs>;
    const Layout layout = layout_of<Net>(0);
    const auto params = test::noise(layout.size, 1), x = test::noise(9 * 9, 2);
    bits.assign(9 * 9, 1e300);
    const Counters counters{.seed = 42};
    test::OwnedArena memory(1 << 20);
    const Step<device::Cpu<>> at{dev, {9, 2, 0}, sentences.geometry(), false, Write::assign, memory.arena, &counters};
    auto saved = Real::allocate_saved(memory.arena, {64, 2, 0});  // for more rows than come
    Real::forward(at, bind<Net, const double>(params.data(), 0), {x.data(), 9}, {bits.data(), 9}, saved);
    Arena alone;
    Real::allocate_saved(alone, {9, 2, 0});
    return alone.used;
  };
  constexpr Needs all{true, true}, none{false, false};
  std::vector<double> whole, forgetful;
  CHECK(run.operator()<1, all>(whole) == run.operator()<1, none>(forgetful));
  CHECK(whole == forgetful);
  run.operator()<2, all>(whole);
  CHECK(run.operator()<2, none>(forgetful) == bytes<12, 2, 12, 9>());
  CHECK(whole == forgetful);
  run.operator()<5, all>(whole);
  CHECK(run.operator()<5, none>(forgetful) == bytes<12, 2, 12, 9, 9>());
  CHECK(whole == forgetful);
}
