// tests > [cuda]
#include "tests/cuda/cases/attention.hpp"

#include "entrain/kernel/attention/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;

TEST_CASE("attention on the GPU") {
  test::check_on_gpu<test::AttentionCase<3, 96, 40, true>, precision::Fp32>(1e-5, {0, 1, 2, 31, 33, 64, 127, 129});
  test::check_on_gpu<test::AttentionCase<2, 128, 20, false>, precision::Fp32>(1e-5, {1, 33, 129});
  test::check_on_gpu<test::AttentionCase<2, 32, 1, true>, precision::Fp32>(1e-5, {1, 64, 129});
}
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
TEST_CASE("attention on the GPU in bf16") {
  using precision::Bf16Mixed;
  test::check_on_gpu<test::AttentionCase<3, 96, 40, true>, Bf16Mixed>(2e-2, {0, 1, 2, 31, 33, 64, 127, 129});
  test::check_on_gpu<test::AttentionCase<2, 128, 20, false>, Bf16Mixed>(2e-2, {1, 33, 129});
  test::check_on_gpu<test::AttentionCase<2, 48, 300, true>, Bf16Mixed>(2e-2, {63, 65, 515});
}
#endif

TEST_CASE("attention on the GPU: sentences of several strides") {
  test::check_on_gpu<test::AttentionCase<2, 48, 300, true>, precision::Fp32>(1e-5, {63, 65, 515});
}
