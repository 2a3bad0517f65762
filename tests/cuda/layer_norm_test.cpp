// tests > [cuda]
#include "tests/cuda/cases/layer_norm.hpp"

#include "entrain/kernel/layer_norm/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;

TEST_CASE("layer_norm on the GPU") {
  test::check_on_gpu<test::LayerNormCase<384, false>, precision::Fp32>(1e-5);
  test::check_on_gpu<test::LayerNormCase<384, true>, precision::Fp32>(1e-5);
  test::check_on_gpu<test::LayerNormCase<384, false, 32>, precision::Fp32>(1e-5);
  test::check_on_gpu<test::LayerNormCase<192, true>, precision::Fp32>(1e-5);  // two rows a warp
  test::check_on_gpu<test::LayerNormCase<96, false>, precision::Fp32>(1e-5);  // four
  test::check_on_gpu<test::LayerNormCase<96, true>, precision::Fp32>(1e-5);
  test::check_on_gpu<test::LayerNormCase<7, true>, precision::Fp32>(1e-5);
  test::check_on_gpu<test::LayerNormCase<384, true>, precision::Fp16Mixed>(2e-3, {0, 1, 2, 3, 127, 129});
}
