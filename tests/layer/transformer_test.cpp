// tests > [layer]
//
// The transformer's sublayers and blocks: gradients in fp64 against central differences, on awkward shapes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "entrain/encode/modern_bert.hpp"
#include "entrain/encode/post_norm.hpp"
#include "entrain/encode/pre_norm.hpp"
#include "entrain/encode/with_norm.hpp"
#include "entrain/kernel/activation/cpu.hpp"
#include "entrain/kernel/attention/cpu.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/dropout/cpu.hpp"
#include "entrain/kernel/gated/cpu.hpp"
#include "entrain/kernel/gather/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/layer_norm/cpu.hpp"
#include "entrain/kernel/map/cpu.hpp"
#include "entrain/kernel/residual_norm/cpu.hpp"
#include "entrain/kernel/rotary/cpu.hpp"
#include "entrain/layer/frozen_first.hpp"
#include "entrain/layer/linear.hpp"
#include "entrain/layer/norm_without_bias.hpp"
#include "entrain/layer/recompute.hpp"
#include "entrain/layer/residual.hpp"
#include "entrain/layer/sequence.hpp"
#include "entrain/layer/shared.hpp"
#include "entrain/layer/stack.hpp"
#include "tests/check_layer.hpp"

using namespace entrain;
using encode::Attention;
using encode::FeedForward;
using encode::PostNorm;
using encode::PostNormBlock;
using encode::PreNorm;
using encode::PreNormBlock;
using encode::TransformerConfig;

namespace {
constexpr TransformerConfig narrow{.width = 16, .heads = 2, .intermediate = 20, .eps = 1e-3};
constexpr TransformerConfig near{.width = 16, .heads = 2, .intermediate = 20, .window = 4, .eps = 1e-3};
constexpr TransformerConfig one_head{.width = 32, .heads = 1, .intermediate = 7, .eps = 1e-3};
using Sublayer = PostNorm<narrow, FeedForward<narrow>>;
constexpr encode::ModernBertConfig rotary{.width = 16,
                                          .heads = 2,
                                          .intermediate = 20,
                                          .local_attention = 4,
                                          .global_attn_every_n_layers = 2,
                                          .global_rope_theta = 100,
                                          .local_rope_theta = 10,
                                          .eps = 1e-3};
using RotaryBlock = encode::ModernBertBlock<rotary>;
template <class Stack> using Normed =
    encode::WithNorm<Stack, layer::NormWithoutBias<layer::NormConfig{.width = 16, .eps = 1e-3}>>;

/// The rows of a net's result from the last to the first, as somebody reads them who picks rows.
template <class Net> struct Turned {
  static constexpr int in = Net::in, out = Net::out;
  template <class T> using Weights = typename Net::template Weights<T>;
  template <Precision P, class D, Needs G> struct Impl {
    using Inner = entrain::Impl<Net, P, D, G>;
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    struct Saved {
      typename Inner::Saved inner;
      std::vector<std::int32_t> rows;  // turned twice they are as they were, so these are also row_of
    };
    static Saved allocate_saved(Arena& arena, Shape shape) { return {Inner::allocate_saved(arena, shape), {}}; }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                        Rows<A, out> y, Saved& saved) {
      saved.rows.clear();
      for (std::int32_t row = x.n; row-- > 0;) saved.rows.push_back(row);
      Inner::forward_rows(at, w, x, saved.rows.data(), y, saved.inner);
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, out> dy, Rows<Grad, in> dx, Write how, const Weights<typename P::Sum>& g) {
      Inner::backward_rows(at, w, saved.inner, dy, saved.rows.data(), dx, how, g);
    }
  };
};
}  // namespace

TEST_CASE_TEMPLATE("transformer: gradients match differences, every number is written, planned bytes are taken", Layer,
                   Attention<narrow>, Attention<one_head>, FeedForward<narrow>, FeedForward<one_head, act::GeluTanh>) {
  test::check_shapes<Layer>({{}, {1}, {1, 1, 1}, {3, 1, 4}, {127, 1}, {129}}, 1e-6, 30, 3);
}
TEST_CASE_TEMPLATE("transformer: and those of attention in a window, alone and in blocks by turns with whole sentences",
                   Layer, Attention<near>, Attention<TransformerConfig{.width = 32, .heads = 1, .window = 2}>,
                   Attention<TransformerConfig{.width = 16, .heads = 2, .window = 1000}>,
                   layer::Stack<2, layer::Sequence<PostNormBlock<near>, PreNormBlock<narrow>>>) {
  test::check_shapes<Layer>({{}, {1}, {1, 1, 1}, {3, 1, 9}, {127, 1}, {129}}, 1e-6, 30, 3);
}
TEST_CASE_TEMPLATE("transformer: and those of what puts residual and norm around them", Part,
                   PostNorm<narrow, Attention<narrow>>, Sublayer, PreNorm<narrow, FeedForward<narrow>>) {
  test::check_shapes<Part>({{}, {1}, {3, 1, 4}, {127, 2}}, 1e-6, 30, 3);
}
TEST_CASE_TEMPLATE("transformer: and those of blocks, under a residual and in a stack", Layer, PostNormBlock<narrow>,
                   layer::Residual<PostNormBlock<one_head, act::GeluTanh>>, layer::Stack<2, PostNormBlock<narrow>>,
                   layer::Stack<2, PreNormBlock<narrow>>) {
  test::check_shapes<Layer>({{}, {1}, {3, 1, 4}}, 1e-6, 30, 3);
}
TEST_CASE_TEMPLATE("transformer: and those of blocks with dropout that are shared, recomputed or between other layers",
                   Layer, layer::Shared<4, Sublayer>, layer::Recompute<layer::Stack<3, Sublayer>>,
                   layer::Sequence<layer::Linear<12, 16>, layer::Stack<2, Sublayer>, layer::Linear<16, 5>>) {
  test::check_shapes<Layer>({{}, {1}, {3, 1, 4}}, 1e-6, 30, 3);
}

TEST_CASE_TEMPLATE("transformer: and those of rows that somebody picks, under dropout", Net,
                   layer::Stack<1, PostNormBlock<narrow>>, layer::Stack<2, PostNormBlock<narrow>>,
                   layer::Stack<2, PreNormBlock<narrow>>, Normed<layer::Stack<2, RotaryBlock>>) {
  test::check_shapes<Turned<Net>>({{}, {1}, {3, 1, 4}}, 1e-6, 30, 3);
}

TEST_CASE("transformer: parameters are named as Hugging Face names them") {
  const Layout layout = layout_of<layer::Stack<2, PostNormBlock<narrow>>>(0);
  REQUIRE(layout.spans.size() == 32);
  CHECK(layout.spans[0].name == "0.attention.self.query.weight");
  CHECK(layout.spans[9].name == "0.attention.output.LayerNorm.bias");
  CHECK(layout.spans[10].name == "0.intermediate.dense.weight");
  CHECK(layout.spans[31].name == "1.output.LayerNorm.bias");

  const Layout before = layout_of<layer::Stack<2, PreNormBlock<narrow>>>(0);
  REQUIRE(before.spans.size() == 32);
  CHECK(before.spans[0].name == "0.attention.LayerNorm.weight");
  CHECK(before.spans[9].name == "0.attention.output.dense.bias");
  CHECK(before.spans[11].name == "0.intermediate.LayerNorm.bias");
  CHECK(before.spans[31].name == "1.output.dense.bias");
}

TEST_CASE_TEMPLATE("transformer: a stack says its extents, by the keys of config.json", Net,
                   layer::Stack<3, PostNormBlock<narrow>>, layer::Stack<3, layer::Recompute<PostNormBlock<narrow>>>,
                   layer::FrozenFirst<1, layer::Stack<3, PostNormBlock<narrow>>>) {
  struct {
    int hidden_size = 0, num_attention_heads = 0, intermediate_size = 0, num_hidden_layers = 0;
    double layer_norm_eps = 0;
    std::string hidden_act;
  } config;
  Net::extents(config);
  CHECK(config.num_hidden_layers == 3);
  CHECK(config.hidden_size == 16);
  CHECK(config.num_attention_heads == 2);
  CHECK(config.intermediate_size == 20);
  CHECK(config.layer_norm_eps == 1e-3);
  CHECK(config.hidden_act == "gelu");
}

TEST_CASE_TEMPLATE("transformer: recomputed, with dropout, it is the same to the bit", Block, PostNormBlock<narrow>,
                   PreNormBlock<narrow>, RotaryBlock) {
  using Dev = device::Cpu<>;
  const test::Sentences sentences({3, 1, 4});
  const int n = sentences.rows();
  const auto size = static_cast<std::size_t>(n) * 16;
  const auto x = test::noise(size, 2), dy = test::noise(size, 3);
  /// y, dx and the gradients of all parameters, one after the other.
  const auto run = [&]<class Net>(std::type_identity<Net>, int threads, float dropout) {
    using Made = Impl<Net, precision::Fp64, Dev>;
    const Dev dev(threads);
    const Layout layout = layout_of<Net>(0);
    const auto numbers = test::noise(layout.size, 1);
    const auto w = bind<Net, const double>(numbers.data(), 0);
    std::vector<double> made(2 * size + layout.size);
    const auto g = bind<Net, double>(&made[2 * size], 0);
    test::OwnedArena memory(1 << 20);
    const Counters counters{.seed = 42, .step = 3, .dropout = dropout};
    const Step<Dev> at{dev, sentences.shape(0), sentences.geometry(), true, Write::assign, memory.arena, &counters};
    auto saved = Made::allocate_saved(memory.arena, at.shape);
    Made::forward(at, w, {x.data(), n}, {made.data(), n}, saved);
    Made::backward(at, w, saved, {dy.data(), n}, {&made[size], n}, Write::assign, g);
    return made;
  };
  using Plain = layer::Stack<3, Block>;
  const auto plain = run(std::type_identity<Plain>(), 1, 0.25f);
  CHECK(plain != run(std::type_identity<Plain>(), 1, 0));  // something falls out
  for (const int threads : {1, 3}) {
    CHECK(plain == run(std::type_identity<layer::Stack<3, layer::Recompute<Block>>>(), threads, 0.25f));
    CHECK(plain == run(std::type_identity<layer::Recompute<Plain>>(), threads, 0.25f));
  }
}

TEST_CASE_TEMPLATE("transformer: gradients of some rows are those of the whole result, where the others' are nothing",
                   Net, layer::Stack<1, PostNormBlock<narrow>>, layer::Stack<3, PostNormBlock<narrow>>,
                   layer::Stack<2, PreNormBlock<narrow>>, layer::FrozenFirst<1, layer::Stack<3, PostNormBlock<narrow>>>,
                   Normed<layer::Stack<3, RotaryBlock>>, Normed<layer::FrozenFirst<1, layer::Stack<3, RotaryBlock>>>) {
  using Dev = device::Cpu<>;
  using Made = Impl<Net, precision::Fp64, Dev>;
  const Dev dev(2);
  const test::Sentences sentences({3, 1, 4});
  const int n = sentences.rows();
  const Layout layout = layout_of<Net>(0);
  const auto numbers = test::noise(layout.size, 1), x = test::noise(static_cast<std::size_t>(n) * 16, 2);
  const auto w = bind<Net, const double>(numbers.data(), 0);
  const std::vector<std::int32_t> rows{6, 0, 3}, row_of{1, -1, -1, 2, -1, -1, 0, -1};
  const auto dsome = test::noise(rows.size() * 16, 3);
  std::vector<double> dall(static_cast<std::size_t>(n) * 16);
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::copy_n(&dsome[r * 16], 16, &dall[static_cast<std::size_t>(rows[r]) * 16]);
  std::vector<std::byte> memory(1 << 20);
  std::vector<double> y(dall.size()), dx[2], gradients[2];
  for (const bool picked : {false, true}) {
    dx[picked].assign(x.size(), 0.5);  // added to
    gradients[picked].assign(layout.gradients, NAN);
    const auto g = bind<Net, double>(gradients[picked].data(), 0);
    Arena arena{memory.data(), memory.size()};
    const Counters counters{.dropout = 0};
    const Step<Dev> at{dev, sentences.shape(0), sentences.geometry(), true, Write::assign, arena, &counters};
    auto saved = Made::allocate_saved(arena, at.shape);
    const Rows<const double, 16> in(x.data(), n);
    const Rows<double, 16> to(dx[picked].data(), n);
    if (picked) {
      Made::forward_rows(at, w, in, rows.data(), Rows<double, 16>(y.data(), 3), saved);
      Made::backward_rows(at, w, saved, Rows<const double, 16>(dsome.data(), 3), row_of.data(), to, Write::add, g);
    } else {
      Made::forward(at, w, in, Rows<double, 16>(y.data(), n), saved);
      Made::backward(at, w, saved, Rows<const double, 16>(dall.data(), n), to, Write::add, g);
    }
  }
  const auto worst = [](const double* a, const double* b, std::size_t size) {
    double most = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double error = std::abs(a[i] - b[i]) / (1 + std::abs(a[i]));
      if (!(error <= most)) most = std::isnan(error) ? INFINITY : error;
    }
    return most;
  };
  CHECK(worst(dx[0].data(), dx[1].data(), dx[0].size()) < 1e-12);
  for (const Span& s : layout.spans)
    if (!s.frozen) CHECK(worst(&gradients[0][s.gradient_offset], &gradients[1][s.gradient_offset], s.size()) < 1e-12);
}

TEST_CASE_TEMPLATE("transformer: rows that somebody reads are those of the whole result", Net,
                   layer::Stack<3, PostNormBlock<narrow>>, Normed<layer::Stack<3, RotaryBlock>>) {
  using Dev = device::Cpu<>;
  using Made = Impl<Net, precision::Fp64, Dev, Needs{false, false}>;
  const Dev dev(2);
  const test::Sentences sentences({3, 1, 4});
  const int n = sentences.rows();
  const auto numbers = test::noise(layout_of<Net>(0).size, 1), x = test::noise(static_cast<std::size_t>(n) * 16, 2);
  const auto w = bind<Net, const double>(numbers.data(), 0);
  const std::vector<std::int32_t> rows{6, 0, 0, 3};
  std::vector<double> all(static_cast<std::size_t>(n) * 16), some(rows.size() * 16);
  std::vector<std::byte> memory(1 << 20);
  const auto run = [&](auto&& f) {
    Arena arena{memory.data(), memory.size()};
    const Counters counters;
    const Step<Dev> at{dev, sentences.shape(0), sentences.geometry(), false, Write::assign, arena, &counters};
    auto saved = Made::allocate_saved(arena, at.shape);
    f(at, saved);
  };
  const Rows<const double, 16> in(x.data(), n);
  run([&](const auto& at, auto& saved) { Made::forward(at, w, in, Rows<double, 16>(all.data(), n), saved); });
  run([&](const auto& at, auto& saved) {
    Made::forward_rows(at, w, in, rows.data(), Rows<double, 16>(some.data(), 4), saved);
  });
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < 16; ++c)
      CHECK(some[r * 16 + c] == doctest::Approx(all[static_cast<std::size_t>(rows[r]) * 16 + c]).epsilon(1e-12));
}

TEST_CASE("transformer: a window is no parameter; in the description it comes last, and without one nothing does") {
  CHECK(layout_of<PostNormBlock<near>>(0).size == layout_of<PostNormBlock<narrow>>(0).size);
  CHECK(Attention<narrow>::describe() == "Attention<16, 2, 20, 0.001>");
  CHECK(Attention<near>::describe() == "Attention<16, 2, 20, 0.001, window 4>");
  CHECK(PostNormBlock<narrow>::describe() == "PostNormBlock<16, 2, 20, 0.001, gelu>");
  CHECK(PostNormBlock<near>::describe() == "PostNormBlock<16, 2, 20, 0.001, gelu, window 4>");
}
