// tests > [cuda]
#include "entrain/cuda.cuh"
#include "tests/cuda/cases/trainer.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
using precision::Fp32;
template Results on_gpu<TrainerCase<optim::AdamW>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<optim::Deferred<optim::Averaged<optim::AdamW>>>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<optim::AdamW, head::Crf<8, text::Bio>>, Fp32>(int, std::uint64_t);
}  // namespace entrain::test
