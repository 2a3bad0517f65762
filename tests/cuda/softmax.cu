// tests > [cuda]
#include "entrain/kernel/softmax/cuda.cuh"
#include "tests/cuda/cases/softmax.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
using precision::Fp32;
template Results on_gpu<SoftmaxCase<loss::CrossEntropy, 9, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<SoftmaxCase<loss::CrossEntropy, 64, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<SoftmaxCase<loss::Smoothed, 33, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<SoftmaxCase<loss::Focal, 70, true>, Fp32>(int, std::uint64_t);
template Results on_gpu<NoNumberCase, Fp32>(int, std::uint64_t);
template Results on_gpu<ArgmaxCase, Fp32>(int, std::uint64_t);
template Results on_gpu<SoftmaxCase<loss::CrossEntropy, 9, false, 64>, precision::Fp16Mixed>(int, std::uint64_t);
}  // namespace entrain::test
