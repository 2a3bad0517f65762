// tests > [cuda]
#include "tests/cuda/cases/layer_norm.hpp"

#include "entrain/kernel/layer_norm/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using test::check_in_all_precisions;

TEST_CASE("layer_norm on the GPU") {
  check_in_all_precisions<test::LayerNormCase<384, false>>(1e-5);
  check_in_all_precisions<test::LayerNormCase<384, true>>(1e-5);
  check_in_all_precisions<test::LayerNormCase<384, false, 32>>(1e-5);
  check_in_all_precisions<test::LayerNormCase<192, true>>(1e-5);  // two rows a warp; of 16 bits four
  check_in_all_precisions<test::LayerNormCase<96, false>>(1e-5);  // four; one
  check_in_all_precisions<test::LayerNormCase<96, true>>(1e-5);
  check_in_all_precisions<test::LayerNormCase<7, true>>(1e-5);
  check_in_all_precisions<test::LayerNormCase<384, true, 0, false>>(1e-5);  // without a shift
  check_in_all_precisions<test::LayerNormCase<7, false, 0, false>>(1e-5);
}
