// tests > [cuda]
#include "entrain/cuda.cuh"
#include "entrain/cuda_resident.cuh"
#include "entrain/cuda_transformer.cuh"
#include "tests/cuda/cases/resident.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
/// What the case of segments calls, found by its stage.
template <class Stage> void sort_on_gpu(Stage& stage, const std::int32_t* ids, const std::int32_t* there,
                                        std::int32_t values, const std::int32_t* places, const CsrIndex& to) {
  const std::size_t temporary = device::temporary_bytes(to.positions);
  Arena arena;
  batch::SorterOnDevice(arena, to.positions, temporary);
  arena = {stage.put(std::vector<std::byte>(arena.peak)), arena.peak};
  const batch::SorterOnDevice sort(arena, to.positions, temporary);
  sort(stage.dev.stream(), ids, there, values, places, to);
}

using precision::Fp32;
template Results on_gpu<SortedCase<50>, Fp32>(int, std::uint64_t);
template Results on_gpu<SortedCase<30522>, Fp32>(int, std::uint64_t);
template Results on_gpu<SortedCase<1>, Fp32>(int, std::uint64_t);
template Results on_gpu<MadeCase<PiecesAlone>, Fp32>(int, std::uint64_t);
template Results on_gpu<MadeCase<LabelAllTokensAlone>, Fp32>(int, std::uint64_t);
template Results on_gpu<MadeCase<WordsAlone<0, 2, 60, 20, 20, 20>>, Fp32>(int, std::uint64_t);
template Results on_gpu<MadeCase<WordsAlone<0, 2, 60, 20, 20, 20>, 65>, Fp32>(int, std::uint64_t);
template Results on_gpu<MadeCase<WordsAlone<40, 4, 5, 1000, 2, 31, 64, 33>>, Fp32>(int, std::uint64_t);
template Results on_gpu<MadeCase<WordsAlone<40, 1, 7>>, Fp32>(int, std::uint64_t);
template Results on_gpu<MadeCase<ClassPerSentence<PiecesAlone>>, Fp32>(int, std::uint64_t);
template Results on_gpu<MadeCase<ClassPerSentence<WordsAlone<40, 2, 60, 20, 20, 20>>>, Fp32>(int, std::uint64_t);
template Results on_gpu<BothWaysCase<SmallTransformer, optim::Sgd>, Fp32>(int, std::uint64_t);
template Results on_gpu<Eagerly<BothWaysCase<SmallTransformer, optim::LazyUpdate<optim::AdamW>>>, Fp32>(int,
                                                                                                        std::uint64_t);
template Results on_gpu<FitBothWaysCase<SmallTransformer, optim::LazyUpdate<optim::AdamW>>, Fp32>(int, std::uint64_t);
template Results on_gpu<BothWaysCase<LightTagger, optim::AdamW>, Fp32>(int, std::uint64_t);
template Results on_gpu<Eagerly<FitBothWaysCase<LightTagger, optim::LazyUpdate<optim::AdamW>>>, Fp32>(int,
                                                                                                      std::uint64_t);
}  // namespace entrain::test
