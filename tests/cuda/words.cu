// tests > [cuda]
#include "entrain/kernel/bias/cuda.cuh"
#include "entrain/kernel/dropout/cuda.cuh"
#include "entrain/kernel/gather/cuda.cuh"
#include "entrain/kernel/hash_embed/cuda.cuh"
#include "entrain/kernel/map/cuda.cuh"
#include "entrain/kernel/maxout/cuda.cuh"
#include "entrain/kernel/window/cuda.cuh"
#include "tests/cuda/cases/words.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
template std::vector<OnGpu> in_all_precisions<WindowCase<1, 96, false>>();
template std::vector<OnGpu> in_all_precisions<WindowCase<3, 6, true>>();
template std::vector<OnGpu> in_all_precisions<MaxoutCase<2, 96>>();
template std::vector<OnGpu> in_all_precisions<MaxoutCase<3, 7>>();
template std::vector<OnGpu> in_all_precisions<ByLabelBiasCase<9, false>>();
template std::vector<OnGpu> in_all_precisions<ByLabelBiasCase<33, true>>();
template std::vector<OnGpu> in_all_precisions<ByLabelBiasCase<264, false>>();
template std::vector<OnGpu> in_all_precisions<DropoutCase<96, false>>();
template std::vector<OnGpu> in_all_precisions<DropoutCase<13, true>>();
template std::vector<OnGpu> in_all_precisions<GatherCase<96>>();
template std::vector<OnGpu> in_all_precisions<GatherCase<7>>();
template std::vector<OnGpu> in_all_precisions<MapCase<96>>();
template std::vector<OnGpu> in_all_precisions<MapCase<7>>();
template std::vector<OnGpu> in_all_precisions<HashEmbedCase<4, 96>>();
template std::vector<OnGpu> in_all_precisions<HashEmbedCase<1, 6>>();
template std::vector<OnGpu> in_all_precisions<SegmentsCase<8>>();
template std::vector<OnGpu> in_all_precisions<SegmentsCase<7>>();
}  // namespace entrain::test
