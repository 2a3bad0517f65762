// tests > [cuda]
#include "entrain/kernel/attention/cuda.cuh"
#include "tests/cuda/cases/attention.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
template Results on_gpu<AttentionGradientsCase<3, 96, 40, true>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<AttentionGradientsCase<2, 48, 300, false, 32>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<AttentionGradientsCase<3, 96, 40, true>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<AttentionGradientsCase<2, 52, 300, true>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<AttentionGradientsCase<2, 128, 20, true>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<AttentionGradientsCase<1, 16, 30, false>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<InLittleMemory<AttentionGradientsCase<2, 128, 20, true>>, precision::Fp16Mixed>(int,
                                                                                                        std::uint64_t);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
template Results on_gpu<AttentionGradientsCase<3, 96, 40, true>, precision::Bf16Mixed>(int, std::uint64_t);
#endif
}  // namespace entrain::test
