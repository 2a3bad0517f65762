// tests > [cuda]
#include "tests/cuda/cases/transformer.hpp"

#include "entrain/kernel/activation/cpu.hpp"
#include "entrain/kernel/gated/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/piece_embed/cpu.hpp"
#include "entrain/kernel/residual_norm/cpu.hpp"
#include "entrain/kernel/rotary/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using precision::Fp32;
using test::check_in_all_precisions;
using test::check_on_gpu;

TEST_CASE("a bias and a function on the GPU, and its slopes") {
  check_on_gpu<test::ActivationCase<act::Gelu, 96>, Fp32>(1e-6);
  check_on_gpu<test::ActivationCase<act::Gelu, 7>, Fp32>(1e-6);
  check_on_gpu<test::ActivationCase<act::GeluTanh, 96>, Fp32>(1e-5);
  check_on_gpu<test::ActivationCase<act::Relu, 14>, Fp32>(1e-6);
}

TEST_CASE("the end of a sublayer on the GPU: bias, dropout, residual and norm") {
  check_on_gpu<test::ResidualNormCase<7>, Fp32>(1e-5);
  // 25 rows a range of 6,400: more than a block has at once.
  check_on_gpu<test::ResidualNormCase<8>, Fp32>(1e-5, {0, 1, 2, 31, 33, 127, 129, 515, 2112, 2113, 6400});
  check_on_gpu<test::ResidualNormCase<14>, Fp32>(1e-5);
  check_on_gpu<test::ResidualNormCase<24>, Fp32>(1e-5);
  check_on_gpu<test::ResidualNormCase<32>, Fp32>(1e-5);  // four rows a warp, as with 96 channels
  check_on_gpu<test::ResidualNormCase<70>, Fp32>(1e-5);  // two at a time, twice a lane
  check_on_gpu<test::ResidualNormCase<96>, Fp32>(1e-5, {0, 1, 2, 3, 31, 33, 127, 129, 513});
  check_on_gpu<test::ResidualNormCase<192>, Fp32>(1e-5, {0, 1, 2, 3, 31, 33, 127, 129});  // two
  check_on_gpu<test::ResidualNormCase<312>, Fp32>(1e-5, {0, 1, 2, 31, 33, 127, 129});
  check_on_gpu<test::ResidualNormCase<384>, Fp32>(1e-5, {0, 1, 2, 31, 33, 127, 129});
  check_on_gpu<test::ResidualNormCase<768>, Fp32>(1e-5, {0, 1, 2, 31, 33, 127, 129});
  check_on_gpu<test::ResidualNormCase<1024>, Fp32>(1e-5, {1, 33});  // a row is four warps'
}

TEST_CASE("the end of a sublayer on the GPU in 16 bits") {  // the bars: two to four roundings
  check_on_gpu<test::ResidualNormCase<8>, precision::Fp16Mixed>(2e-3, {0, 1, 2, 3, 127, 129, 513});
  check_on_gpu<test::ResidualNormCase<96>, precision::Fp16Mixed>(2e-3, {0, 1, 2, 3, 127, 129});
  check_on_gpu<test::ResidualNormCase<384>, precision::Fp16Mixed>(2e-3, {0, 1, 2, 3, 127, 129});
  check_on_gpu<test::ResidualNormCase<1024>, precision::Fp16Mixed>(2e-3, {1, 33});
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
  check_on_gpu<test::ResidualNormCase<384>, precision::Bf16Mixed>(1e-2, {0, 1, 2, 3, 127, 129});
  check_on_gpu<test::ResidualNormCase<768>, precision::Bf16Mixed>(1e-2, {0, 1, 2, 3, 127, 129});
#endif
}

TEST_CASE("the end of a sublayer on the GPU gives the same bits twice") {
  test::check_same_bits_on_gpu<test::ResidualNormCase<384>, precision::Fp16Mixed>(129);
}

TEST_CASE("the embeddings of piece, position and segment, summed and normalised on the GPU") {
  check_in_all_precisions<test::PieceEmbedCase<96, 2>>(1e-5);
  check_in_all_precisions<test::PieceEmbedCase<96, 0>>(1e-5);
  check_in_all_precisions<test::PieceEmbedCase<7, 1>>(1e-5);
  check_in_all_precisions<test::PieceEmbedCase<384, 2>>(1e-5);
}

TEST_CASE("gated linear units on the GPU, and back") {
  check_in_all_precisions<test::GatedCase<act::Gelu, 96>>(1e-5);
  check_in_all_precisions<test::GatedCase<act::GeluTanh, 7>>(1e-5);
  check_in_all_precisions<test::GatedCase<act::Relu, 12>>(1e-6);
}

TEST_CASE("rotary position embeddings on the GPU, and back") {
  check_in_all_precisions<test::RotaryCase<2, 64, 160000>>(3e-7);
  check_in_all_precisions<test::RotaryCase<3, 32>>(3e-7);
  check_in_all_precisions<test::RotaryCase<3, 6>>(3e-7);
  check_in_all_precisions<test::RotaryCase<1, 2>>(3e-7);
  check_in_all_precisions<test::RotaryCase<1, 256>>(3e-7);                 // one row a block
  check_on_gpu<test::RotaryCase<1, 8, 10000, 20000>, Fp32>(3e-7, {8192});  // at distant places too
}
