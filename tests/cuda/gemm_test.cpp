// tests > [cuda]
#include "tests/cuda/cases/gemm.hpp"

#include "entrain/kernel/gemm/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;

TEST_CASE("products on the GPU") {
  test::check_on_gpu<test::GemmCase<24, 40, false>, precision::Fp32>(1e-5);
  test::check_on_gpu<test::GemmCase<24, 40, true>, precision::Fp32>(1e-5);
  test::check_on_gpu<test::GemmCase<1, 1, false>, precision::Fp32>(1e-5);
}

// What is stored is rounded once: by 2^-11 of itself at most in fp16, by 2^-8 in bf16.
TEST_CASE("products on the GPU in fp16") {
  test::check_on_gpu<test::GemmCase<24, 40, false>, precision::Fp16Mixed>(5e-4);
  test::check_on_gpu<test::GemmCase<24, 40, true>, precision::Fp16Mixed>(5e-4);
  test::check_on_gpu<test::GemmCase<1, 1, false>, precision::Fp16Mixed>(5e-4);
}
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
TEST_CASE("products on the GPU in bf16") {
  test::check_on_gpu<test::GemmCase<24, 40, false>, precision::Bf16Mixed>(4e-3);
  test::check_on_gpu<test::GemmCase<24, 40, true>, precision::Bf16Mixed>(4e-3);
}
// Operands are rounded by 2^-11 of themselves at most, or cut off by 2^-10: which, cuBLASLt does not say. Results are
// not; so they are further off than in fp32.
TEST_CASE("products on the GPU in TF32") {
  test::check_on_gpu<test::GemmCase<24, 40, false>, precision::Tf32>(2e-3);
  test::check_on_gpu<test::GemmCase<24, 40, true>, precision::Tf32>(2e-3);
  // So small products may be multiplied in fp32 all the same.
  using Large = test::GemmCase<256, 128, false>;
  const test::Results exact = test::on_gpu<Large, precision::Fp32>(128, 7),
                      rounded = test::on_gpu<Large, precision::Tf32>(128, 7);
  for (std::size_t i = 0; i < exact.size(); ++i)
    CHECK_MESSAGE(test::distance(rounded[i].values, exact[i].values) > 1e-5, exact[i].name);
}
#endif
