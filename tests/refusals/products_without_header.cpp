// entrain: the header with this device's matrix products is not included; kernel::Bf16Gemm and AmxGemm are in
// host only
#include "entrain/cpu.hpp"
#if !defined(WRONG)
#include "entrain/cpu_transformer.hpp"
#endif
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<kernel::Bf16Gemm>, optim::AdamW>;
static_assert(sizeof(Trainer) > 0);
