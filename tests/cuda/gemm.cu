// tests > [cuda]
#include "entrain/kernel/gemm/cuda.cuh"
#include "tests/cuda/cases/gemm.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
template Results on_gpu<GemmCase<24, 40, false>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<GemmCase<24, 40, true>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<GemmCase<1, 1, false>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<GemmCase<24, 40, false>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<GemmCase<24, 40, true>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<GemmCase<1, 1, false>, precision::Fp16Mixed>(int, std::uint64_t);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)  // nor does such a GPU multiply in TF32
template Results on_gpu<GemmCase<24, 40, false>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<GemmCase<24, 40, true>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<GemmCase<24, 40, false>, precision::Tf32>(int, std::uint64_t);
template Results on_gpu<GemmCase<256, 128, false>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<GemmCase<256, 128, false>, precision::Tf32>(int, std::uint64_t);
template Results on_gpu<GemmCase<24, 40, true>, precision::Tf32>(int, std::uint64_t);
#endif
}  // namespace entrain::test
