// tests > [cuda]
#include "entrain/kernel/pool/cuda.cuh"
#include "entrain/kernel/sigmoid/cuda.cuh"
#include "entrain/kernel/softmax/cuda.cuh"
#include "tests/cuda/cases/classify.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
template std::vector<OnGpu> in_all_precisions<PoolCase<pool::Mean, 96>>();
template std::vector<OnGpu> in_all_precisions<PoolCase<pool::Max, 200>>();
template std::vector<OnGpu> in_all_precisions<PoolCase<pool::First, 37>>();
template std::vector<OnGpu> in_all_precisions<SigmoidCase<loss::CrossEntropy, 9, false>>();
template std::vector<OnGpu> in_all_precisions<SigmoidCase<loss::Smoothed, 33, true>>();
template std::vector<OnGpu> in_all_precisions<SigmoidCase<loss::Focal, 128, true>>();
template std::vector<OnGpu> in_all_precisions<SoftmaxRowsCase<9>>();
template std::vector<OnGpu> in_all_precisions<SoftmaxRowsCase<77>>();
}  // namespace entrain::test
