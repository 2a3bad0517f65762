// tests > [layer]
//
// Every layer's gradients in fp64 against central differences, on awkward shapes, on one thread and on three.
#include <doctest/doctest.h>

#include "entrain/encode/window.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/dropout/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/layer_norm/cpu.hpp"
#include "entrain/kernel/map/cpu.hpp"
#include "entrain/kernel/maxout/cpu.hpp"
#include "entrain/kernel/window/cpu.hpp"
#include "entrain/layer/linear.hpp"
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
                   Dropout<20>, encode::Window<5, 1>, encode::Window<4, 3>, Residual<Linear<9, 9>>,
                   Sequence<Linear<7, 12>, LayerNorm<12>, Maxout<12, 6, 3>>, encode::MaxoutWindow<12, 2>) {
  test::check_shapes<Layer>({{}, {1}, {1, 1, 1}, {3, 1, 4}, {127}, {64, 64, 1}}, 1e-7, 60, 12);
}

TEST_CASE("layer: parameter names are readable") {
  const Layout layout = layout_of<encode::MaxoutWindow<12, 2>>(0);
  REQUIRE(layout.spans.size() == 8);
  CHECK(layout.spans[0].name == "0.maxout.weight");
  CHECK(layout.spans[7].name == "1.layer_norm.bias");
}
