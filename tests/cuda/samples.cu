// tests > [cuda]
#include "tests/cuda/cases/samples.hpp"

#include "entrain/cuda.cuh"
#include "entrain/cuda_classifier.cuh"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
template Results on_gpu<SamplesCase<SamplesOfIds, optim::Adam>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<SamplesCase<SamplesOfIds, optim::LazyUpdate<optim::Adam>>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<SamplesCase<SamplesOfFloats, optim::Adam>, precision::Fp32>(int, std::uint64_t);
}  // namespace entrain::test
