// tests > [layer]
//
// Frozen parts below, between and above trained parts: the gradients of the trained parts, in fp64 against central
// differences.
#include <doctest/doctest.h>

#include <vector>

#include "entrain/encode/post_norm.hpp"
#include "entrain/kernel/activation/cpu.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/map/cpu.hpp"
#include "entrain/kernel/residual_norm/cpu.hpp"
#include "entrain/layer/frozen.hpp"
#include "entrain/layer/frozen_first.hpp"
#include "entrain/layer/linear.hpp"
#include "entrain/layer/sequence.hpp"
#include "entrain/layer/stack.hpp"
#include "tests/check_layer.hpp"

namespace frozen_layers_test {
using namespace entrain;
using layer::Frozen;
using layer::FrozenFirst;
using layer::Linear;
using layer::Sequence;
using layer::Stack;

constexpr encode::TransformerConfig narrow{.width = 8, .heads = 1, .intermediate = 16, .eps = 1e-3};
using Block = encode::PostNorm<narrow, encode::FeedForward<narrow>>;

TEST_CASE_TEMPLATE("frozen: gradients of the trained parts match differences, planned bytes are taken", Net,
                   Sequence<Linear<12, 8>, Frozen<Stack<2, Block>>, Linear<8, 5>>,
                   Sequence<Frozen<Linear<12, 8>>, Stack<2, Block>, Linear<8, 5>>,
                   Sequence<Linear<12, 8>, Stack<2, Block>, Frozen<Linear<8, 5>>>,
                   Sequence<Linear<12, 8>, FrozenFirst<2, Stack<3, Block>>, Linear<8, 5>>,
                   Sequence<Frozen<Linear<12, 8>>, FrozenFirst<2, Stack<3, Block>>, Linear<8, 5>>,
                   FrozenFirst<2, Stack<3, Block>>) {
  test::check_shapes<Net>({{}, {1}, {3, 1, 4}}, 1e-6, 30, 3);
  test::check_shapes<Net, Needs{true, false}>({{}, {1}, {3, 1, 4}}, 1e-6, 30, 3);  // no gradient of the input
}

TEST_CASE("frozen: no dropout in training") {
  const device::Cpu<> dev(1);
  const test::Sentences sentences({3, 1, 4});
  const int n = sentences.rows();
  const auto x = test::noise(static_cast<std::size_t>(n) * 8, 2);
  const auto run = [&]<class Net>(Net, bool training) {
    using Real = Impl<Net, precision::Fp64, device::Cpu<>>;
    const auto params = test::noise(layout_of<Net>(0).size, 1);
    const Counters counters{.seed = 42, .dropout = 0.25f};
    test::OwnedArena memory(1 << 20);
    const Step<device::Cpu<>> at{dev,          sentences.shape(), sentences.geometry(), training, Write::assign,
                                 memory.arena, &counters};
    auto saved = Real::allocate_saved(memory.arena, at.shape);
    std::vector<double> y(x.size());
    Real::forward(at, bind<Net, const double>(params.data(), 0), {x.data(), n}, {y.data(), n}, saved);
    return y;
  };
  const auto whole = run(Stack<3, Block>{}, false);
  CHECK(run(Stack<3, Block>{}, true) != whole);
  CHECK(run(Frozen<Stack<3, Block>>{}, true) == whole);
  CHECK(run(FrozenFirst<2, Stack<3, Block>>{}, true) != whole);  // dropout of the trained block
}

}  // namespace frozen_layers_test
