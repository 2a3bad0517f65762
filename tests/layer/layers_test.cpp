// tests > [layer]
//
// Every layer's gradients in fp64 against central differences, on awkward shapes, on one thread and on three.
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "entrain/encode/window.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/dropout/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/layer_norm/cpu.hpp"
#include "entrain/kernel/map/cpu.hpp"
#include "entrain/kernel/maxout/cpu.hpp"
#include "entrain/kernel/window/cpu.hpp"
#include "entrain/layer/identity.hpp"
#include "entrain/layer/linear.hpp"
#include "examples/10_own_parts/scale.hpp"
#include "tests/check_layer.hpp"

using namespace entrain;
using layer::Dropout;
using layer::LayerNorm;
using layer::Linear;
using layer::Maxout;
using layer::Residual;
using layer::Sequence;

TEST_CASE_TEMPLATE("layer: gradients match differences, every number is written, planned bytes are taken", Layer,
                   Linear<5, 3>, Linear<24, 40>, Maxout<6, 5, 2>, Maxout<24, 16, 3>, LayerNorm<3>, LayerNorm<24>,
                   Dropout<20>, layer::Identity<5>, encode::Window<5, 1>, encode::Window<4, 3>, Residual<Linear<9, 9>>,
                   Sequence<Linear<7, 12>, LayerNorm<12>, Maxout<12, 6, 3>>, encode::MaxoutWindow<12, 2>,
                   encode::MaxoutWindow<8, 1, 2>, own::Scale<20>, Sequence<own::Scale<6>, Linear<6, 4>>) {
  test::check_shapes<Layer>({{}, {1}, {1, 1, 1}, {3, 1, 4}, {127}, {64, 64, 1}}, 1e-7, 60, 12);
}

TEST_CASE("layer: where products read 16 bits, a norm reads what the optimizer keeps, and all else what products do") {
  using Net = Sequence<Linear<4, 8>, layer::LayerNorm<8>>;
  const Layout layout = layout_of<Net>(0);
  const std::vector<bf16> weights(layout.size);
  std::vector<float> master(layout.size);
  std::iota(master.begin(), master.end(), 0.0f);
  const auto w = bind<Net>(Values<bf16>{weights.data(), master.data()}, 0);
  CHECK(std::get<0>(w.part).weight.data == &weights[layout.spans[0].offset]);
  CHECK(std::get<0>(w.part).bias.data == &weights[layout.spans[1].offset]);
  CHECK(std::get<1>(w.part).gain.data == &master[layout.spans[2].offset]);
  CHECK(std::get<1>(w.part).shift.data == &master[layout.spans[3].offset]);
  const auto extents = bind<Net>(Values<bf16>{}, 0);
  CHECK(std::get<0>(extents.part).weight.data == nullptr);
  CHECK(std::get<1>(extents.part).gain.data == nullptr);
  const std::vector<float> few = gather_master<Net, bf16>(master.data(), 0);
  CHECK(few.size() == 32);
  const auto apart = bind<Net>(Values<bf16>{weights.data(), few.data(), true}, 0);
  CHECK(std::get<1>(apart.part).gain.data == &few[0]);
  CHECK(std::get<1>(apart.part).shift.data == &few[16]);
  CHECK(few[7] == static_cast<float>(layout.spans[2].offset + 7));
  CHECK(few[8] == 0);
  CHECK(few[16 + 7] == static_cast<float>(layout.spans[3].offset + 7));
  const auto both = bind<Net, const float>(master.data(), 0);
  CHECK(std::get<0>(both.part).weight.data == &master[layout.spans[0].offset]);
  CHECK(std::get<1>(both.part).gain.data == &master[layout.spans[2].offset]);
}

TEST_CASE("layer: parameter names are readable") {
  const Layout layout = layout_of<encode::MaxoutWindow<12, 2>>(0);
  REQUIRE(layout.spans.size() == 8);
  CHECK(layout.spans[0].name == "0.maxout.weight");
  CHECK(layout.spans[7].name == "1.layer_norm.bias");
}
