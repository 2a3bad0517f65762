// tests > [layer]
//
// The transformer's sublayers and blocks: gradients in fp64 against central differences, on awkward shapes.
#include <doctest/doctest.h>

#include "entrain/encode/post_norm.hpp"
#include "entrain/kernel/activation/cpu.hpp"
#include "entrain/kernel/attention/cpu.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/layer_norm/cpu.hpp"
#include "entrain/kernel/map/cpu.hpp"
#include "entrain/kernel/residual_norm/cpu.hpp"
#include "entrain/layer/recompute.hpp"
#include "entrain/layer/residual.hpp"
#include "entrain/layer/stack.hpp"
#include "tests/gradient.hpp"

using namespace entrain;
using encode::AttentionNorm;
using encode::FeedForwardNorm;
using encode::PostNormBlock;
using encode::Width;

namespace {
constexpr Width narrow{.width = 16, .heads = 2, .intermediate = 20, .eps = 1e-3};
constexpr Width one_head{.width = 32, .heads = 1, .intermediate = 7, .eps = 1e-3};

template <class Layer> void check(const std::vector<std::vector<int>>& shapes) {
  for (int threads : {1, 3}) {
    const device::Cpu<> dev(threads);
    for (const auto& lengths : shapes) {
      const test::Sentences sentences(lengths);
      const auto report = test::check_gradients<Layer>(dev, sentences, {.most = sentences.rows() > 100 ? 3u : 30u});
      CHECK_MESSAGE(report.worst < 1e-6, report.text);
      CHECK_MESSAGE(!report.unwritten, report.text);
      CHECK(report.adds);
      CHECK(report.planned == report.taken);
    }
  }
}
}  // namespace

TEST_CASE_TEMPLATE("transformer: gradients match differences, every number is written, planned bytes are taken", Layer,
                   AttentionNorm<narrow>, AttentionNorm<one_head>, FeedForwardNorm<narrow>,
                   FeedForwardNorm<one_head, act::GeluTanh>) {
  check<Layer>({{}, {1}, {1, 1, 1}, {3, 1, 4}, {127, 1}, {129}});
}
TEST_CASE_TEMPLATE("transformer: and those of blocks, under a residual and in a stack", Layer, PostNormBlock<narrow>,
                   layer::Residual<PostNormBlock<one_head, act::GeluTanh>>, layer::Stack<2, PostNormBlock<narrow>>) {
  check<Layer>({{}, {1}, {3, 1, 4}});
}

TEST_CASE("transformer: parameters are named as Hugging Face names them") {
  const Layout layout = layout_of<layer::Stack<2, PostNormBlock<narrow>>>(0);
  REQUIRE(layout.spans.size() == 32);
  CHECK(layout.spans[0].name == "0.attention.self.query.weight");
  CHECK(layout.spans[9].name == "0.attention.output.LayerNorm.bias");
  CHECK(layout.spans[10].name == "0.intermediate.dense.weight");
  CHECK(layout.spans[31].name == "1.output.LayerNorm.bias");
}
