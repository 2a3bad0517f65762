// tests > [cuda]
#include "entrain/cuda.cuh"
#include "entrain/cuda_classifier.cuh"
#include "entrain/cuda_transformer.cuh"
#include "tests/cuda/cases/trainer.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
using precision::Fp32;
using Averaged = optim::LazyUpdate<optim::Averaged<optim::AdamW>>;
template Results on_gpu<TrainerCase<LightTagger, optim::AdamW>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<LightTagger, Averaged>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<VectorTagger, optim::AdamW>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<VectorTagger, Averaged>, Fp32>(int, std::uint64_t);
template Results on_gpu<Eagerly<TrainerCase<LightTagger, Averaged>>, Fp32>(int, std::uint64_t);
template Results on_gpu<InOneQueue<TrainerCase<LightTagger, Averaged>>, Fp32>(int, std::uint64_t);
template Results on_gpu<AtOnce<TrainerCase<LightTagger, Averaged>>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<DeepTransformer, Averaged>, Fp32>(int, std::uint64_t);
template Results on_gpu<Eagerly<TrainerCase<DeepTransformer, Averaged>>, Fp32>(int, std::uint64_t);
template Results on_gpu<AtOnce<TrainerCase<DeepTransformer, Averaged>>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<SmallTransformer, Averaged>, Fp32>(int, std::uint64_t);
template Results on_gpu<AtOnce<TrainerCase<SmallTransformer, Averaged>>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<ModernTransformer, Averaged>, Fp32>(int, std::uint64_t);
template Results on_gpu<Eagerly<TrainerCase<ModernTransformer, Averaged>>, Fp32>(int, std::uint64_t);
template Results on_gpu<AtOnce<TrainerCase<ModernTransformer, Averaged>>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<LightChain, optim::AdamW>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<SmallTransformer, optim::Sgd>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<OfGeluTanh, optim::Sgd>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<ClassOfMean, optim::AdamW>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<ClassesOfMaximum, Averaged>, Fp32>(int, std::uint64_t);
template Results on_gpu<Eagerly<TrainerCase<ClassesOfMaximum, Averaged>>, Fp32>(int, std::uint64_t);
template Results on_gpu<TrainerCase<TransformerClassifier, optim::Sgd>, Fp32>(int, std::uint64_t);
}  // namespace entrain::test
