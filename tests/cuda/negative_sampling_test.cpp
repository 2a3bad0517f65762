// tests > [cuda]
#include "tests/cuda/cases/negative_sampling.hpp"

#include "entrain/kernel/negative_sampling/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using kernel::Context;
using test::NegativeSamplingCase;

TEST_CASE("negative sampling on the GPU") {
  const test::Sizes sizes = {0, 1, 2, 15, 16, 17, 33, 129};
  test::check_on_gpu<NegativeSamplingCase<Context::each, 100, false>, precision::Fp32>(1e-5, sizes);
  test::check_on_gpu<NegativeSamplingCase<Context::each, 7, true>, precision::Fp32>(1e-5, sizes);
  test::check_on_gpu<NegativeSamplingCase<Context::mean, 20, false>, precision::Fp32>(1e-5, sizes);
  test::check_on_gpu<NegativeSamplingCase<Context::mean, 8, true>, precision::Fp32>(1e-5, sizes);
}
