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

TEST_CASE("attention on the GPU of which everything falls out") {
  test::check_on_gpu<test::AllFallsOutCase, precision::Fp32>(1e-5, {1, 33, 129});
  test::check_on_gpu<test::AllFallsOutCase, precision::Fp16Mixed>(2.5e-3, {1, 33, 129});
}

namespace {
template <class P> void check_in_16_bits(double tolerance) {
  test::check_on_gpu<test::AttentionCase<3, 96, 40, true>, P>(tolerance, {0, 1, 2, 31, 33, 64, 127, 129});
  test::check_on_gpu<test::AttentionCase<2, 128, 20, false>, P>(tolerance, {1, 33, 129});
  test::check_on_gpu<test::AttentionCase<2, 48, 300, true>, P>(tolerance, {63, 65, 515});
}
}  // namespace

TEST_CASE("attention on the GPU in fp16") { check_in_16_bits<precision::Fp16Mixed>(2.5e-3); }
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
TEST_CASE("attention on the GPU in bf16") { check_in_16_bits<precision::Bf16Mixed>(2e-2); }
#endif

namespace {
template <class P> void check_lengths(double tolerance) {
  test::check_on_gpu<test::LengthsCase<8>, P>(tolerance, {3});
  test::check_on_gpu<test::LengthsCase<16>, P>(tolerance, {9});
  test::check_on_gpu<test::LengthsCase<24>, P>(tolerance, {1});
  test::check_on_gpu<test::LengthsCase<32>, P>(tolerance, {6});
  test::check_on_gpu<test::LengthsCase<64>, P>(tolerance, {13});
}
template <class P> void check_more_lengths(double tolerance) {
  test::check_on_gpu<test::LengthsCase<26>, P>(tolerance, {7});
  test::check_on_gpu<test::LengthsCase<48>, P>(tolerance, {2});
  test::check_on_gpu<test::InLittleMemory<test::LengthsCase<64>>, P>(tolerance, {4});
  test::check_on_gpu<test::LengthsCase<24, 30>, P>(tolerance, {5});
}
}  // namespace

TEST_CASE("attention on the GPU: sentences of all lengths") {
  check_lengths<precision::Fp32>(1e-5);
  check_more_lengths<precision::Fp32>(1e-5);
}
TEST_CASE("attention on the GPU: sentences of all lengths, in fp16") {
  check_lengths<precision::Fp16Mixed>(2.5e-3);
  check_more_lengths<precision::Fp16Mixed>(2.5e-3);
  test::check_on_gpu<test::LengthsCase<80>, precision::Fp16Mixed>(2.5e-3, {5});
  test::check_on_gpu<test::InLittleMemory<test::LengthsCase<80>>, precision::Fp16Mixed>(2.5e-3, {5});
}
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
TEST_CASE("attention on the GPU: sentences of all lengths, in bf16") { check_lengths<precision::Bf16Mixed>(2e-2); }
#endif

TEST_CASE("attention on the GPU: sentences of several strides") {
  test::check_on_gpu<test::AttentionCase<2, 48, 300, true>, precision::Fp32>(1e-5, {63, 65, 515});
}

namespace {
template <class P> void check_in_windows(double tolerance) {
  test::check_on_gpu<test::AttentionCase<2, 32, 40, true, 2>, P>(tolerance, {0, 1, 2, 33, 64, 127, 129});
  test::check_on_gpu<test::AttentionCase<2, 48, 300, true, 32>, P>(tolerance, {63, 65, 515});
  test::check_on_gpu<test::AttentionCase<1, 32, 900, false, 128>, P>(tolerance, {129, 900});
}
}  // namespace

TEST_CASE("attention in a window on the GPU") {
  check_in_windows<precision::Fp32>(1e-5);
  test::check_on_gpu<test::AttentionCase<2, 32, 20, true, 1000>, precision::Fp32>(1e-5, {1, 33, 129});
}
TEST_CASE("attention in a window on the GPU in fp16") { check_in_windows<precision::Fp16Mixed>(2.5e-3); }
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
TEST_CASE("attention in a window on the GPU in bf16") { check_in_windows<precision::Bf16Mixed>(2e-2); }
#endif
TEST_CASE("attention in a window on the GPU: what is far away is left out") {
  test::check_on_gpu<test::FarRowsCase<16, 32>, precision::Fp32>(1e-5, {1100});
  test::check_on_gpu<test::FarRowsCase<16, 32>, precision::Fp16Mixed>(2.5e-3, {1100});
}
