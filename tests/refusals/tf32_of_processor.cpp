// entrain: this device cannot compute in this precision; device::Cpu computes in precision::Fp32 and precision::Fp64,
// host only
#include "entrain/cpu.hpp"
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
#if defined(WRONG)
using Trainer = train::Trainer<Net, precision::Tf32, device::Cpu<>, optim::AdamW>;
#else
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>;
#endif
static_assert(sizeof(Trainer) > 0);
