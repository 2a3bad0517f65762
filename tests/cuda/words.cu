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
using precision::Fp32;
template Results on_gpu<WindowCase<1, 96, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<WindowCase<3, 6, true>, Fp32>(int, std::uint64_t);
template Results on_gpu<MaxoutCase<2, 96>, Fp32>(int, std::uint64_t);
template Results on_gpu<MaxoutCase<3, 7>, Fp32>(int, std::uint64_t);
template Results on_gpu<BiasCase<9, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<BiasCase<33, true>, Fp32>(int, std::uint64_t);
template Results on_gpu<BiasCase<264, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<DropoutCase<96, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<DropoutCase<13, true>, Fp32>(int, std::uint64_t);
template Results on_gpu<GatherCase<96>, Fp32>(int, std::uint64_t);
template Results on_gpu<GatherCase<7>, Fp32>(int, std::uint64_t);
template Results on_gpu<MapCase<96>, Fp32>(int, std::uint64_t);
template Results on_gpu<MapCase<7>, Fp32>(int, std::uint64_t);
template Results on_gpu<HashEmbedCase<4, 96>, Fp32>(int, std::uint64_t);
template Results on_gpu<HashEmbedCase<1, 6>, Fp32>(int, std::uint64_t);
template Results on_gpu<SegmentsCase<8>, Fp32>(int, std::uint64_t);
template Results on_gpu<SegmentsCase<7>, Fp32>(int, std::uint64_t);

}  // namespace entrain::test
