// tests > [cuda]
#include "entrain/cuda.cuh"
#include "entrain/cuda_transformer.cuh"
#include "tests/cuda/cases/skipped.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
using Averaged = optim::LazyUpdate<optim::Averaged<optim::AdamW>>;
using precision::Fp16Mixed;
template Results on_gpu<TrainerCase<LightTagger, optim::AdamW>, Fp16Modest>(int, std::uint64_t);
template Results on_gpu<TrainerCase<LightTagger, Averaged>, Fp16Modest>(int, std::uint64_t);
template Results on_gpu<TrainerCase<SmallTransformer, optim::Sgd>, Fp16Modest>(int, std::uint64_t);
template Results on_gpu<TrainerCase<LightChain, optim::Sgd>, Fp16Modest>(int, std::uint64_t);
template Results on_gpu<TrainerCase<SmallTransformer, Averaged>, Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<SkippedCase<LightTagger, Averaged>, Fp16TooLarge>(int, std::uint64_t);
template Results on_gpu<SkippedCase<SmallTransformer, optim::Sgd>, Fp16TooLarge>(int, std::uint64_t);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)  // nor does such a GPU multiply in TF32
using precision::Bf16Mixed, precision::Tf32;
template Results on_gpu<TrainerCase<LightTagger, optim::AdamW>, Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<TrainerCase<LightTagger, Averaged>, Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<TrainerCase<LightChain, optim::Sgd>, Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<TrainerCase<SmallTransformer, Averaged>, Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<TrainerCase<LightTagger, optim::AdamW>, Tf32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<SmallTransformer, optim::Sgd>, Tf32>(int, std::uint64_t);
#endif
}  // namespace entrain::test
