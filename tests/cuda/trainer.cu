// tests > [cuda]
#include "entrain/cuda.cuh"
#include "entrain/cuda_transformer.cuh"
#include "tests/cuda/cases/trainer.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
using precision::Fp32;
using Averaged = optim::Deferred<optim::Averaged<optim::AdamW>>;
template Results on_gpu<TrainerCase<LightTagger, optim::AdamW>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<LightTagger, Averaged>, Fp32>(int, std::uint64_t);
template Results on_gpu<Eagerly<TrainerCase<LightTagger, Averaged>>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<LightChain, optim::AdamW>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<SmallTransformer, optim::Sgd>, Fp32>(int, std::uint64_t);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
using precision::Bf16Mixed;
template Results on_gpu<TrainerCase<LightTagger, optim::AdamW>, Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<TrainerCase<LightTagger, Averaged>, Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<TrainerCase<SmallTransformer, Averaged>, Bf16Mixed>(int, std::uint64_t);
#endif
}  // namespace entrain::test
