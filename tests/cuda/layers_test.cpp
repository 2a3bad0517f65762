// tests > [cuda]
#include "tests/cuda/cases/layers.hpp"

#include "entrain/kernel/activation/cpu.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/dropout/cpu.hpp"
#include "entrain/kernel/gather/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/hash_embed/cpu.hpp"
#include "entrain/kernel/layer_norm/cpu.hpp"
#include "entrain/kernel/map/cpu.hpp"
#include "entrain/kernel/piece_embed/cpu.hpp"
#include "entrain/kernel/residual_norm/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using precision::Fp32;
using test::check_on_gpu;

TEST_CASE("a feed-forward sublayer on the GPU") {
  check_on_gpu<test::SublayerCase<act::Gelu>, Fp32>(1e-5);
  check_on_gpu<test::SublayerCase<act::GeluTanh>, Fp32>(1e-5);
}
TEST_CASE("a feed-forward sublayer on the GPU in 16 bits") {
  check_on_gpu<test::SublayerCase<act::GeluTanh>, precision::Fp16Mixed>(2e-2);
  check_on_gpu<test::SublayerCase<act::Gelu>, precision::Fp16Mixed>(2e-2);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
  check_on_gpu<test::SublayerCase<act::GeluTanh>, precision::Bf16Mixed>(2e-2);
  check_on_gpu<test::SublayerCase<act::Gelu>, precision::Bf16Mixed>(2e-2);
#endif
}

TEST_CASE("BERT's tables on the GPU, with and without segments") {
  check_on_gpu<test::TablesCase<24, 2>, Fp32>(1e-5);
  check_on_gpu<test::TablesCase<7, 0>, Fp32>(1e-5);
}
