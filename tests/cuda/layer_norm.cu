// tests > [cuda]
#include "entrain/kernel/layer_norm/cuda.cuh"
#include "tests/cuda/cases/layer_norm.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
template Results on_gpu<LayerNormCase<384, false>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LayerNormCase<384, true>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LayerNormCase<384, false, 32>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LayerNormCase<192, true>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LayerNormCase<96, false>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LayerNormCase<96, true>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LayerNormCase<7, true>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<LayerNormCase<384, true>, precision::Fp16Mixed>(int, std::uint64_t);
}  // namespace entrain::test
