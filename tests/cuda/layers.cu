// tests > [cuda]
#include "entrain/cuda.cuh"
#include "entrain/cuda_transformer.cuh"
#include "tests/cuda/cases/layers.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
using precision::Fp32;
template Results on_gpu<SublayerCase<act::Gelu>, Fp32>(int, std::uint64_t);
template Results on_gpu<SublayerCase<act::GeluTanh>, Fp32>(int, std::uint64_t);
template Results on_gpu<SublayerCase<act::GeluTanh>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<SublayerCase<act::Gelu>, precision::Fp16Mixed>(int, std::uint64_t);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
template Results on_gpu<SublayerCase<act::GeluTanh>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<SublayerCase<act::Gelu>, precision::Bf16Mixed>(int, std::uint64_t);
#endif
template Results on_gpu<TablesCase<24, 2>, Fp32>(int, std::uint64_t);
template Results on_gpu<TablesCase<7, 0>, Fp32>(int, std::uint64_t);
}  // namespace entrain::test
