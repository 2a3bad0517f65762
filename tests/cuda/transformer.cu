// tests > [cuda]
#include "entrain/kernel/activation/cuda.cuh"
#include "entrain/kernel/gated/cuda.cuh"
#include "entrain/kernel/gemm/cuda.cuh"
#include "entrain/kernel/piece_embed/cuda.cuh"
#include "entrain/kernel/residual_norm/cuda.cuh"
#include "entrain/kernel/rotary/cuda.cuh"
#include "tests/cuda/cases/transformer.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
using precision::Fp16Mixed, precision::Fp32;
template Results on_gpu<ActivationCase<act::Gelu, 96>, Fp32>(int, std::uint64_t);
template Results on_gpu<ActivationCase<act::Gelu, 7>, Fp32>(int, std::uint64_t);
template Results on_gpu<ActivationCase<act::GeluTanh, 96>, Fp32>(int, std::uint64_t);
template Results on_gpu<ActivationCase<act::Relu, 14>, Fp32>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<7>, Fp32>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<14>, Fp32>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<8>, Fp32>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<24>, Fp32>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<70>, Fp32>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<32>, Fp32>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<96>, Fp32>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<192>, Fp32>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<312>, Fp32>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<384>, Fp32>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<768>, Fp32>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<1024>, Fp32>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<8>, Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<96>, Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<384>, Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<1024>, Fp16Mixed>(int, std::uint64_t);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
template Results on_gpu<ResidualNormCase<384>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<ResidualNormCase<768>, precision::Bf16Mixed>(int, std::uint64_t);
#endif
template std::vector<OnGpu> in_all_precisions<PieceEmbedCase<96, 2>>();
template std::vector<OnGpu> in_all_precisions<PieceEmbedCase<96, 0>>();
template std::vector<OnGpu> in_all_precisions<PieceEmbedCase<7, 1>>();
template std::vector<OnGpu> in_all_precisions<PieceEmbedCase<384, 2>>();
template std::vector<OnGpu> in_all_precisions<GatedCase<act::Gelu, 96>>();
template std::vector<OnGpu> in_all_precisions<GatedCase<act::GeluTanh, 7>>();
template std::vector<OnGpu> in_all_precisions<GatedCase<act::Relu, 12>>();
template std::vector<OnGpu> in_all_precisions<RotaryCase<2, 64, 160000>>();
template std::vector<OnGpu> in_all_precisions<RotaryCase<3, 32>>();
template std::vector<OnGpu> in_all_precisions<RotaryCase<3, 6>>();
template std::vector<OnGpu> in_all_precisions<RotaryCase<1, 2>>();
template std::vector<OnGpu> in_all_precisions<RotaryCase<1, 256>>();
template Results on_gpu<RotaryCase<1, 8, 10000, 20000>, Fp32>(int, std::uint64_t);
}  // namespace entrain::test
