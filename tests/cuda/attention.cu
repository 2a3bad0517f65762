// tests > [cuda]
#include "entrain/kernel/attention/cuda.cuh"
#include "tests/cuda/cases/attention.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
template Results on_gpu<AttentionCase<3, 96, 40, true>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<AllFallsOutCase, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<AttentionCase<2, 128, 20, false>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<AttentionCase<2, 48, 300, true>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<AttentionCase<2, 32, 1, true>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<AttentionCase<3, 96, 40, true>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<AllFallsOutCase, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<AttentionCase<2, 128, 20, false>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<AttentionCase<2, 48, 300, true>, precision::Fp16Mixed>(int, std::uint64_t);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
template Results on_gpu<AttentionCase<3, 96, 40, true>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<AttentionCase<2, 128, 20, false>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<AttentionCase<2, 48, 300, true>, precision::Bf16Mixed>(int, std::uint64_t);
#endif

// Lengths about tiles, blocks and strides.
template Results on_gpu<LengthsCase<8>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LengthsCase<16>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LengthsCase<24>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LengthsCase<32>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LengthsCase<64>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LengthsCase<8>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<LengthsCase<16>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<LengthsCase<24>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<LengthsCase<32>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<LengthsCase<64>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<LengthsCase<26>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LengthsCase<48>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<InLittleMemory<LengthsCase<64>>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LengthsCase<24, 30>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LengthsCase<26>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<LengthsCase<48>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<LengthsCase<80>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<InLittleMemory<LengthsCase<64>>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<InLittleMemory<LengthsCase<80>>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<LengthsCase<24, 30>, precision::Fp16Mixed>(int, std::uint64_t);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
template Results on_gpu<LengthsCase<8>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<LengthsCase<16>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<LengthsCase<24>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<LengthsCase<32>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<LengthsCase<64>, precision::Bf16Mixed>(int, std::uint64_t);
#endif

// In windows.
template Results on_gpu<FarRowsCase<16, 32>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<FarRowsCase<16, 32>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<AttentionCase<2, 32, 40, true, 2>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<AttentionCase<2, 48, 300, true, 32>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<AttentionCase<1, 32, 900, false, 128>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<AttentionCase<2, 32, 20, true, 1000>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<AttentionCase<2, 32, 40, true, 2>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<AttentionCase<2, 48, 300, true, 32>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<AttentionCase<1, 32, 900, false, 128>, precision::Fp16Mixed>(int, std::uint64_t);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
template Results on_gpu<AttentionCase<2, 32, 40, true, 2>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<AttentionCase<2, 48, 300, true, 32>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<AttentionCase<1, 32, 900, false, 128>, precision::Bf16Mixed>(int, std::uint64_t);
#endif
}  // namespace entrain::test
