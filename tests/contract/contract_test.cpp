// tests > [contract]
//
// The layout, the saved bytes and the planned bytes of compositions of layers. All of it runs on device::Plan, so nvcc
// can compile this file too (scripts/check/nvcc.sh). tests/layer checks the numbers that layers compute.
#include <doctest/doctest.h>

#include "entrain/device/plan.hpp"
#include "entrain/encode/post_norm.hpp"
#include "entrain/layer/frozen.hpp"
#include "entrain/layer/frozen_first.hpp"
#include "entrain/layer/linear.hpp"
#include "entrain/layer/recompute.hpp"
#include "entrain/layer/sequence.hpp"
#include "entrain/layer/shared.hpp"
#include "entrain/layer/stack.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/flat.hpp"

using namespace entrain;
using layer::Frozen;
using layer::FrozenFirst;
using layer::Linear;
using layer::Recompute;
using layer::Sequence;
using layer::Shared;
using layer::Stack;

namespace {
constexpr encode::TransformerConfig narrow{.width = 16, .heads = 2, .intermediate = 32};
using Block = encode::PostNorm<narrow, encode::FeedForward<narrow>>;

struct Planned {
  std::size_t saved;  // bytes between forward and backward
  std::size_t peak;   // bytes in all
  double flops;
};
/// Forward and backward of 1,000 rows on an empty arena.
template <class Net, class P = precision::Fp32, Needs needs = Needs{true, false}> Planned plan() {
  using Real = Impl<Net, P, device::Plan, needs>;
  using W = typename P::Weight;
  using A = typename P::Activation;
  using Grad = typename P::Gradient;
  constexpr int n = 1000;
  Arena empty;
  const device::Plan dev;
  const Step<device::Plan> at{dev, {n, 1, 0}, {}, true, Write::assign, empty};
  const auto w = bind<Net>(Values<W>{}, 0);
  auto saved = Real::allocate_saved(empty, at.shape);
  const std::size_t kept = empty.used;
  Real::forward(at, w, Rows<const A, Net::in>(nullptr, n), Rows<A, Net::out>(nullptr, n), saved);
  Real::backward(at, w, saved, Rows<const Grad, Net::out>(nullptr, n), Rows<Grad, Net::in>(nullptr, n), Write::assign,
                 bind<Net, typename P::Sum>(nullptr, 0));
  CHECK(empty.used == kept);  // scratch is given back
  return {kept, empty.peak, dev.flops};
}
/// Bytes of 1,000 rows of each width.
template <class T, int... widths> std::size_t bytes() {
  Arena empty;
  (take_rows<T, widths>(empty, 1000), ...);
  return empty.used;
}
}  // namespace

TEST_CASE("Contract: recomputed blocks save only the vectors between them, and compute more") {
  const Planned plain = plan<Stack<4, Block>>();
  const Planned whole = plan<Recompute<Stack<4, Block>>>(), each = plan<Stack<4, Recompute<Block>>>();
  CHECK(plain.saved == 4 * bytes<float, 32, 32, 16, 2>() + bytes<float, 16, 16, 16>());
  CHECK(each.saved == bytes<float, 16, 16, 16>());
  CHECK(whole.saved == 0);
  CHECK(each.peak < plain.peak);
  CHECK(each.flops > plain.flops);
  CHECK(whole.flops == each.flops);
}

TEST_CASE("Contract: shared blocks have the weights of one block and save what a stack saves") {
  CHECK(layout_of<Shared<4, Block>>(0).size * 4 == layout_of<Stack<4, Block>>(0).size);
  CHECK(plan<Shared<4, Block>>().saved == plan<Stack<4, Block>>().saved);
}

TEST_CASE_TEMPLATE("Contract: the gradient buffer has no numbers of frozen parts", Net,
                   Sequence<Linear<12, 16>, Frozen<Stack<2, Block>>, Linear<16, 5>>,
                   Sequence<Frozen<Linear<12, 16>>, Stack<2, Block>, Linear<16, 5>>,
                   Sequence<Linear<12, 16>, Stack<2, Block>, Frozen<Linear<16, 5>>>,
                   Sequence<Linear<12, 16>, FrozenFirst<2, Stack<3, Block>>, Linear<16, 5>>,
                   Sequence<Frozen<Linear<12, 16>>, FrozenFirst<2, Stack<3, Block>>, Linear<16, 5>>) {
  const Layout layout = layout_of<Net>(0);
  int frozen = 0, trained = 0;
  std::size_t numbers = 0;
  for (const Span& s : layout.spans) {
    ++(s.frozen ? frozen : trained);
    if (s.frozen) continue;
    CHECK(s.gradient_offset == numbers);
    numbers += detail::aligned(s.size());
  }
  CHECK(numbers == layout.gradients);
  CHECK(frozen >= 2);
  CHECK(trained >= 2);
}

TEST_CASE("Contract: a stack whose first blocks are frozen has the names, offsets and heights of the whole stack") {
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

TEST_CASE("Contract: frozen blocks at the bottom save nothing for backward") {
  const std::size_t open = plan<Sequence<Stack<6, Block>, Stack<2, Block>>>().saved;
  const std::size_t closed = plan<Sequence<Frozen<Stack<6, Block>>, Stack<2, Block>>>().saved;
  CHECK(closed * 3 < open);
  CHECK(closed == plan<Stack<2, Block>>().saved + bytes<float, 16>());
  CHECK(closed == plan<FrozenFirst<6, Stack<8, Block>>>().saved);
}

// device::Cpu does not compute with 16-bit storage. tests/cuda/layers_test.cpp and precisions_test.cpp check the
// values.
TEST_CASE_TEMPLATE("Contract: in 16 bits, layers save half of the bytes; statistics of norms stay in fp32", P,
                   precision::Bf16Mixed, precision::Fp16Mixed) {
  using A = typename P::Activation;
  using Net = Sequence<Linear<12, 16>, Stack<2, Block>, Linear<16, 5>>;
  const Planned wide = plan<Net, precision::Fp32, Needs{true, true}>(), small = plan<Net, P, Needs{true, true}>();
  CHECK(wide.saved == 2 * bytes<float, 32, 32, 16, 2>() + bytes<float, 16, 16, 16>());
  CHECK(small.saved == 2 * bytes<A, 32, 32, 16>() + bytes<A, 16, 16, 16>() + 2 * bytes<float, 2>());
}
