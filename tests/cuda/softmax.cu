// tests > [cuda]
#include "entrain/kernel/softmax/cuda.cuh"
#include "tests/cuda/cases/softmax.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
template std::vector<OnGpu> in_all_precisions<SoftmaxCase<loss::CrossEntropy, 9, false>>();
template std::vector<OnGpu> in_all_precisions<SoftmaxCase<loss::CrossEntropy, 64, false>>();
template std::vector<OnGpu> in_all_precisions<SoftmaxCase<loss::Smoothed, 33, false>>();
template std::vector<OnGpu> in_all_precisions<SoftmaxCase<loss::Focal, 70, true>>();
template std::vector<OnGpu> in_all_precisions<NoNumberCase>();
template std::vector<OnGpu> in_all_precisions<ArgmaxCase>();
template Results on_gpu<SoftmaxCase<loss::CrossEntropy, 9, false, 64>, precision::Fp16Mixed>(int, std::uint64_t);
}  // namespace entrain::test
