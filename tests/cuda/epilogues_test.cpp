// tests > [cuda]
#include "tests/cuda/cases/epilogues.hpp"

#include "entrain/kernel/activation/cpu.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using test::check_on_gpu;

TEST_CASE("a bias after a product on the GPU") {
  check_on_gpu<test::BiasCase<24, 40, 9>, precision::Fp32>(1e-6);
  check_on_gpu<test::BiasCase<7, 3, 17>, precision::Fp32>(1e-6);
}

// What is stored is rounded once: by 2^-11 of itself at most in fp16, by 2^-8 in bf16.
TEST_CASE("a bias after a product on the GPU in fp16") {
  check_on_gpu<test::BiasCase<24, 40, 9>, precision::Fp16Mixed>(5e-4);
}

TEST_CASE("sums of ranges on the GPU, those of a block at once") {
  check_on_gpu<test::GatheredCase, precision::Fp32>(1e-6, {0, 1, 15, 16, 17, 33, 256, 257, 512, 513});
}

// Rows of 12 numbers are none that an epilogue can keep: there kernels follow the products.
TEST_CASE("a function after a product on the GPU, and back") {
  check_on_gpu<test::ActCase<act::GeluTanh, 24, 40>, precision::Fp32>(1e-5);
  check_on_gpu<test::ActCase<act::GeluTanh, 5, 12>, precision::Fp32>(1e-5);
  check_on_gpu<test::ActCase<act::Gelu, 24, 40>, precision::Fp32>(1e-6);
}
TEST_CASE("a function after a product on the GPU in fp16, and back") {
  check_on_gpu<test::ActCase<act::GeluTanh, 24, 40>, precision::Fp16Mixed>(1e-2);  // a tanh of 11 bits
  check_on_gpu<test::ActCase<act::GeluTanh, 8, 12>, precision::Fp16Mixed>(2e-3);
  check_on_gpu<test::ActCase<act::Gelu, 24, 40>, precision::Fp16Mixed>(2e-3);
  check_on_gpu<test::ActCase<act::Gelu, 8, 7>, precision::Fp16Mixed>(2e-3);
}
// 4,097 rows are cut into longer ranges than 4,096.
TEST_CASE("the gradient before GELU on the GPU in 16 bits, and its sums over rows") {
  check_on_gpu<test::ActBackCase<act::Gelu, 7>, precision::Fp16Mixed>(1e-3, {0, 1, 7, 127, 129, 4096, 4097});
  check_on_gpu<test::ActBackCase<act::Gelu, 24>, precision::Fp16Mixed>(1e-3, {0, 1, 7, 31, 33, 127, 129, 515});
  check_on_gpu<test::ActBackCase<act::Gelu, 44>, precision::Fp16Mixed>(1e-3, {0, 1, 7, 127, 129});
  check_on_gpu<test::ActBackCase<act::Gelu, 264>, precision::Fp16Mixed>(1e-3, {0, 1, 7, 127, 129});
  test::check_same_bits_on_gpu<test::ActBackCase<act::Gelu, 264>, precision::Fp16Mixed>(515);
}
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
TEST_CASE("a function after a product on the GPU in bf16, and back") {
  check_on_gpu<test::ActCase<act::GeluTanh, 24, 40>, precision::Bf16Mixed>(1e-2);
  check_on_gpu<test::ActCase<act::GeluTanh, 8, 12>, precision::Bf16Mixed>(1e-2);
  check_on_gpu<test::ActCase<act::Gelu, 24, 40>, precision::Bf16Mixed>(1e-2);
}
TEST_CASE("the gradient before GELU on the GPU in bf16, and its sums over rows") {
  check_on_gpu<test::ActBackCase<act::Gelu, 130>, precision::Bf16Mixed>(8e-3, {0, 1, 7, 127, 129});
  check_on_gpu<test::ActBackCase<act::Gelu, 512>, precision::Bf16Mixed>(8e-3, {0, 1, 7, 127, 129});
}
TEST_CASE("a bias after a product on the GPU in bf16 and TF32") {
  check_on_gpu<test::BiasCase<24, 40, 9>, precision::Bf16Mixed>(4e-3);
  check_on_gpu<test::BiasCase<24, 40, 9>, precision::Tf32>(2e-3);
}
#endif
