// tests > [cuda]
#include "entrain/kernel/update/cuda.cuh"
#include "tests/cuda/cases/update.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
using precision::Fp32;
template Results on_gpu<UpdateCase<optim::Sgd, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<UpdateCase<optim::AdamW, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<UpdateCase<optim::AdamW, true>, Fp32>(int, std::uint64_t);
}  // namespace entrain::test
