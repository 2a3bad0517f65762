// tests > [cuda]
#include "entrain/kernel/negative_sampling/cuda.cuh"
#include "tests/cuda/cases/negative_sampling.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
using kernel::Context;
using precision::Fp32;
template Results on_gpu<NegativeSamplingCase<Context::each, 100, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<NegativeSamplingCase<Context::each, 7, true>, Fp32>(int, std::uint64_t);
template Results on_gpu<NegativeSamplingCase<Context::mean, 20, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<NegativeSamplingCase<Context::mean, 8, true>, Fp32>(int, std::uint64_t);
}  // namespace entrain::test
