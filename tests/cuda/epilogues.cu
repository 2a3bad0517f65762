// tests > [cuda]
#include "entrain/kernel/activation/cuda.cuh"
#include "entrain/kernel/bias/cuda.cuh"
#include "entrain/kernel/gemm/cuda.cuh"
#include "tests/cuda/cases/epilogues.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
template Results on_gpu<BiasCase<24, 40, 9>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<BiasCase<7, 3, 17>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<BiasCase<24, 40, 9>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<GatheredCase, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<ActCase<act::GeluTanh, 24, 40>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<ActCase<act::GeluTanh, 5, 12>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<ActCase<act::Gelu, 24, 40>, precision::Fp32>(int, std::uint64_t);
template Results on_gpu<ActCase<act::GeluTanh, 24, 40>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<ActCase<act::GeluTanh, 8, 12>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<ActCase<act::Gelu, 24, 40>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<ActCase<act::Gelu, 8, 7>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<ActBackCase<act::Gelu, 7>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<ActBackCase<act::Gelu, 24>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<ActBackCase<act::Gelu, 44>, precision::Fp16Mixed>(int, std::uint64_t);
template Results on_gpu<ActBackCase<act::Gelu, 264>, precision::Fp16Mixed>(int, std::uint64_t);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
template Results on_gpu<ActCase<act::Gelu, 24, 40>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<ActBackCase<act::Gelu, 130>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<ActBackCase<act::Gelu, 512>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<ActCase<act::GeluTanh, 24, 40>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<ActCase<act::GeluTanh, 8, 12>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<BiasCase<24, 40, 9>, precision::Bf16Mixed>(int, std::uint64_t);
template Results on_gpu<BiasCase<24, 40, 9>, precision::Tf32>(int, std::uint64_t);
#endif
}  // namespace entrain::test
