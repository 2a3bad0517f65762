// tests > [cuda]
#include "entrain/kernel/layer_norm/cuda.cuh"
#include "tests/cuda/cases/layer_norm.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
template std::vector<OnGpu> in_all_precisions<LayerNormCase<384, false>>();
template std::vector<OnGpu> in_all_precisions<LayerNormCase<384, true>>();
template std::vector<OnGpu> in_all_precisions<LayerNormCase<384, false, 32>>();
template std::vector<OnGpu> in_all_precisions<LayerNormCase<192, true>>();
template std::vector<OnGpu> in_all_precisions<LayerNormCase<96, false>>();
template std::vector<OnGpu> in_all_precisions<LayerNormCase<96, true>>();
template std::vector<OnGpu> in_all_precisions<LayerNormCase<7, true>>();
template std::vector<OnGpu> in_all_precisions<LayerNormCase<384, true, 0, false>>();
template std::vector<OnGpu> in_all_precisions<LayerNormCase<7, false, 0, false>>();
}  // namespace entrain::test
