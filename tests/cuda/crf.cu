// tests > [cuda]
#include "entrain/kernel/crf/cuda.cuh"
#include "tests/cuda/cases/crf.hpp"
#include "tests/cuda/on_gpu.cuh"

namespace entrain::test {
using precision::Fp32;
using text::Bio, text::Bioes;
template Results on_gpu<CrfCase<Bioes, 6, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfCase<Bioes, 6, false, Far::nothing, 8>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfCase<Bio, 40, false, Far::transitions, 8>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfCase<Bioes, 5, true, Far::transitions>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfCase<Bio, 37, true>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfCase<Bioes, 70, false, Far::scores>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfCase<Bio, 40, false, Far::transitions>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfCase<Bioes, 261, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfCase<Bioes, 5, false, Far::last>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfCase<Bio, 1, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfNoNumberCase<Bioes, 5>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfDecodeCase<Bio, 5, true>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfDecodeCase<Bioes, 37, false>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfDecodeCase<Bioes, 70, true>, Fp32>(int, std::uint64_t);
template Results on_gpu<CrfDecodeCase<Bioes, 261, false>, Fp32>(int, std::uint64_t);
}  // namespace entrain::test
