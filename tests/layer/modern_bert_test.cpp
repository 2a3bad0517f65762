// tests > [layer]
//
// ModernBERT's sublayers, block and stack: gradients in fp64 against central differences, on awkward shapes.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "entrain/encode/modern_bert.hpp"
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
#include "entrain/kernel/rotary/cpu.hpp"
#include "entrain/layer/dense_without_bias.hpp"
#include "entrain/layer/dropout.hpp"
#include "entrain/layer/frozen.hpp"
#include "entrain/layer/frozen_first.hpp"
#include "entrain/layer/linear.hpp"
#include "entrain/layer/norm_without_bias.hpp"
#include "entrain/layer/recompute.hpp"
#include "entrain/layer/sequence.hpp"
#include "entrain/layer/stack.hpp"
#include "tests/check_layer.hpp"
#include "tests/layer/results.hpp"

namespace modern_bert_test {
using namespace entrain;
using encode::GatedFeedForward;
using encode::ModernBertBlock;
using encode::ModernBertConfig;
using encode::RotaryAttention;

namespace {
constexpr ModernBertConfig narrow{.width = 16,
                                  .heads = 2,
                                  .intermediate = 20,
                                  .local_attention = 4,
                                  .global_attn_every_n_layers = 2,
                                  .global_rope_theta = 100,
                                  .local_rope_theta = 10,
                                  .eps = 1e-3};
using Norm = layer::NormWithoutBias<layer::NormConfig{.width = 16, .eps = 1e-3}>;
template <int N> using Blocks = layer::Stack<N, ModernBertBlock<narrow>>;
using Prediction = layer::Sequence<layer::DenseWithoutBias<16, 16, act::Gelu>, Norm, layer::Dropout<16>>;
}  // namespace

TEST_CASE_TEMPLATE("modern_bert: gradients match differences, every number is written, planned bytes are taken", Layer,
                   RotaryAttention<narrow>, GatedFeedForward<narrow, act::GeluTanh>, Prediction) {
  test::check_shapes<Layer>({{}, {1}, {1, 1, 1}, {3, 1, 9}, {127, 1}, {129}}, 1e-6, 30, 3);
}
TEST_CASE_TEMPLATE("modern_bert: and those of blocks, local and global by turns, and of the norm after them", Layer,
                   Blocks<3>, layer::Sequence<layer::Linear<12, 16>, encode::WithNorm<Blocks<2>, Norm>>) {
  test::check_shapes<Layer>({{}, {1}, {3, 1, 9}}, 1e-6, 30, 3);
}

namespace {
constexpr ModernBertConfig with(int every, double global, double local, int window) {
  ModernBertConfig c = narrow;
  c.global_attn_every_n_layers = every, c.global_rope_theta = global, c.local_rope_theta = local;
  c.local_attention = window;
  return c;
}
template <ModernBertConfig W> using Four = layer::Stack<4, ModernBertBlock<W>>;
}  // namespace

TEST_CASE("modern_bert: a block is global or local by its place in the stack, with the frequencies of its kind") {
  const test::Sentences sentences({3, 9, 1});
  const auto x = test::noise(static_cast<std::size_t>(sentences.rows()) * 16, 2);
  const auto numbers = test::noise(layout_of<Four<narrow>>(0).size, 1);
  const auto here = test::results<Four<narrow>>(numbers, sentences, x);
  CHECK(here == test::results<Four<with(2, 100, 10, 4)>>(numbers, sentences, x));
  // Every block is global: the other kind's numbers change nothing.
  const auto all_global = test::results<Four<with(1, 100, 10, 4)>>(numbers, sentences, x);
  CHECK(all_global != here);
  CHECK(all_global == test::results<Four<with(1, 100, 77, 8)>>(numbers, sentences, x));
  // Blocks 1 and 3 are local: a window as wide as the sentences, with the global frequencies, makes them global.
  CHECK(all_global == test::results<Four<with(2, 100, 100, 32)>>(numbers, sentences, x));
  CHECK(here != test::results<Four<with(2, 100, 11, 4)>>(numbers, sentences, x));
  CHECK(here != test::results<Four<with(2, 90, 10, 4)>>(numbers, sentences, x));
}

TEST_CASE("modern_bert: frozen below, recomputed or not, a block has the place that it has in the stack") {
  const test::Sentences sentences({3, 9, 1});
  const auto x = test::noise(static_cast<std::size_t>(sentences.rows()) * 16, 2);
  const auto numbers = test::noise(layout_of<Blocks<4>>(0).size, 1);
  const auto here = test::results<Blocks<4>>(numbers, sentences, x);
  CHECK(here == test::results<layer::FrozenFirst<1, Blocks<4>>>(numbers, sentences, x));
  CHECK(here == test::results<layer::FrozenFirst<3, Blocks<4>>>(numbers, sentences, x));
  CHECK(here == test::results<layer::Frozen<Blocks<4>>>(numbers, sentences, x));
  CHECK(here == test::results<layer::Stack<4, layer::Frozen<ModernBertBlock<narrow>>>>(numbers, sentences, x));
  CHECK(here == test::results<layer::Stack<4, layer::Sequence<ModernBertBlock<narrow>>>>(numbers, sentences, x));
  CHECK(here == test::results<layer::FrozenFirst<2, layer::Stack<4, layer::Recompute<ModernBertBlock<narrow>>>>>(
                    numbers, sentences, x));
}

TEST_CASE("modern_bert: parameters are named as transformers names them; the attention of block 0 has no norm") {
  const Layout layout = layout_of<encode::WithNorm<Blocks<2>, Norm>>(0);
  std::vector<std::string> names;
  for (const Span& span : layout.spans) names.push_back(span.name);
  CHECK(names == std::vector<std::string>{"0.attn.Wqkv.weight", "0.attn.Wo.weight", "0.mlp_norm.weight",
                                          "0.mlp.Wi.weight", "0.mlp.Wo.weight", "1.attn_norm.weight",
                                          "1.attn.Wqkv.weight", "1.attn.Wo.weight", "1.mlp_norm.weight",
                                          "1.mlp.Wi.weight", "1.mlp.Wo.weight", "final_norm.weight"});
  CHECK(layout.spans[0].rows == 48);
  CHECK(layout.spans[3].rows == 40);
  const Layout frozen = layout_of<encode::WithNorm<layer::FrozenFirst<1, Blocks<2>>, Norm>>(0);
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(frozen.spans[i].name == names[i]);
    CHECK(frozen.spans[i].frozen == (i < 5));
  }
}

TEST_CASE("modern_bert: descriptions have all numbers; the block says its extents by the keys of config.json") {
  CHECK(ModernBertBlock<narrow>::describe() ==
        "ModernBertBlock<16, 2, 20, 0.001, gelu, window 4, global 2, theta 100 10>");
  CHECK(RotaryAttention<narrow>::describe() == "RotaryAttention<16, 2, 20, 0.001, window 4, global 2, theta 100 10>");
  CHECK(GatedFeedForward<narrow, act::Relu>::describe() ==
        "GatedFeedForward<16, 2, 20, 0.001, relu, window 4, global 2, theta 100 10>");
  CHECK(Norm::describe() == "NormWithoutBias<16, 0.001>");
  CHECK(layer::DenseWithoutBias<24, 7, act::Gelu>::describe() == "DenseWithoutBias<24, 7, gelu>");
  struct {
    int hidden_size = 0, num_attention_heads = 0, intermediate_size = 0, num_hidden_layers = 0;
    int local_attention = 0, global_attn_every_n_layers = 0;
    double layer_norm_eps = 0, global_rope_theta = 0, local_rope_theta = 0;
    std::string hidden_act;
  } config;
  encode::WithNorm<Blocks<3>, Norm>::extents(config);
  CHECK(config.num_hidden_layers == 3);
  CHECK(config.hidden_size == 16);
  CHECK(config.num_attention_heads == 2);
  CHECK(config.intermediate_size == 20);
  CHECK(config.local_attention == 4);
  CHECK(config.global_attn_every_n_layers == 2);
  CHECK(config.layer_norm_eps == 1e-3);
  CHECK(config.global_rope_theta == 100);
  CHECK(config.local_rope_theta == 10);
  CHECK(config.hidden_act == "gelu");
}

}  // namespace modern_bert_test
