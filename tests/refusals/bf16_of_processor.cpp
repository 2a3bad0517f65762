// Products in bf16 on the CPU: precision::Fp32 on device::Cpu<kernel::FastBf16Gemm>,
// host only
#include "entrain/cpu.hpp"
#include "entrain/cpu_transformer.hpp"
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
#if defined(WRONG)
using Trainer = train::Trainer<Net, precision::Bf16Mixed, device::Cpu<>, optim::AdamW>;
#else
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<kernel::FastBf16Gemm>, optim::AdamW>;
#endif
static_assert(sizeof(Trainer) > 0);
