// tests > [cuda]
#include "entrain/kernel/gemm/cuda.cuh"
#include "tests/cuda/cases/gemm.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
template Results on_gpu<GemmCase<24, 40, false>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<GemmCase<24, 40, true>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<GemmCase<1, 1, false>, precision::Fp32>(int, std::uint64_t);
}  // namespace entrain::test
