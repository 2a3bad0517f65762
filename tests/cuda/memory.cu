// tests > [cuda]
#include "entrain/cuda.cuh"
#include "tests/cuda/cases/memory.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
using Averaged = optim::LazyUpdate<optim::Averaged<optim::AdamW>>;
template Results on_gpu<MemoryCase<optim::AdamW>, precision::Fp32>(int, std::uint64_t);
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
template Results on_gpu<MemoryCase<Averaged>, precision::Bf16Mixed>(int, std::uint64_t);
#endif
}  // namespace entrain::test
