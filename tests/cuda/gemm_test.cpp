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
