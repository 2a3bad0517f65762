// tests > [cuda]
#include "entrain/kernel/map/cuda.cuh"
#include "entrain/kernel/update/cuda.cuh"
#include "tests/cuda/cases/update.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
using precision::Fp32;
using Waiting = optim::LazyUpdate<optim::Averaged<optim::AdamW>>;
template std::vector<OnGpu> in_all_precisions<CatchUpCase<optim::AdamW>>();
template std::vector<OnGpu> in_all_precisions<StepsCase<optim::Sgd>>();
template std::vector<OnGpu> in_all_precisions<StepsCase<optim::AdamW>>();
template std::vector<OnGpu> in_all_precisions<StepsCase<Waiting>>();
template Results on_gpu<StepsCase<optim::AdamW, 2>, Fp32>(int, std::uint64_t);
template Results on_gpu<StepsCase<optim::Sgd, 0, ManyParameters>, Fp32>(int, std::uint64_t);
template Results on_gpu<StepsCase<optim::Sgd, 0, SomeParameters, true>, Fp32>(int, std::uint64_t);
template Results on_gpu<ScaledStepsCase<optim::AdamW, QuickScale>, Fp32>(int, std::uint64_t);
template std::vector<OnGpu> in_all_precisions<ScaledStepsCase<Waiting, QuickScale>>();
template Results on_gpu<ScaledStepsCase<Waiting, QuickScale, ManyTables>, Fp32>(int, std::uint64_t);
template Results on_gpu<ScaledStepsCase<optim::Sgd, LowScale>, Fp32>(int, std::uint64_t);
template Results on_gpu<LargestScaleCase, Fp32>(int, std::uint64_t);
template Results on_gpu<NarrowCase<fp16>, Fp32>(int, std::uint64_t);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
template Results on_gpu<NarrowCase<bf16>, Fp32>(int, std::uint64_t);
#endif
}  // namespace entrain::test
