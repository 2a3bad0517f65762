// entrain: batch::Resident keeps the corpus in a GPU's memory: it needs device::Cuda
// host only
#include "entrain/cpu.hpp"
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
#if defined(WRONG)
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW, batch::Resident>;
#else
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW, batch::Streamed>;
#endif
static_assert(sizeof(Trainer) > 0);
