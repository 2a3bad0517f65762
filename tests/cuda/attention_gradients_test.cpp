// tests > [cuda]
#include "tests/cuda/cases/attention.hpp"

#include "entrain/kernel/attention/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;

TEST_CASE("attention's gradient of a bias on the GPU") {
  test::check_on_gpu<test::AttentionGradientsCase<3, 96, 40, true>, precision::Fp32>(1e-5,
                                                                                     {0, 1, 2, 31, 64, 65, 127, 129});
  test::check_on_gpu<test::AttentionGradientsCase<2, 48, 300, false, 32>, precision::Fp32>(1e-5, {63, 515});
}
TEST_CASE("attention's gradient of a bias on the GPU in fp16") {
  constexpr double tolerance = 2.5e-3;
  test::check_on_gpu<test::AttentionGradientsCase<3, 96, 40, true>, precision::Fp16Mixed>(tolerance, {0, 1, 64, 129});
  test::check_on_gpu<test::AttentionGradientsCase<2, 52, 300, true>, precision::Fp16Mixed>(tolerance, {63, 515});
  test::check_on_gpu<test::AttentionGradientsCase<2, 128, 20, true>, precision::Fp16Mixed>(tolerance, {33, 127});
  test::check_on_gpu<test::InLittleMemory<test::AttentionGradientsCase<2, 128, 20, true>>, precision::Fp16Mixed>(
      tolerance, {33, 127});  // four sums a warp, not eight
  // 129 blocks, and 130 of which the last has one row: many threads add up their sums
  test::check_on_gpu<test::AttentionGradientsCase<1, 16, 30, false>, precision::Fp16Mixed>(tolerance, {8256, 8257});
}
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
TEST_CASE("attention's gradient of a bias on the GPU in bf16") {
  test::check_on_gpu<test::AttentionGradientsCase<3, 96, 40, true>, precision::Bf16Mixed>(2e-2, {2, 64, 129});
}
#endif
