// entrain: the second argument of train::Trainer is not a precision
// host only
#include "entrain/cpu.hpp"
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
#if defined(WRONG)
using Trainer = train::Trainer<Net, device::Cpu<>, precision::Fp32, optim::AdamW>;
#else
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>;
#endif
static_assert(sizeof(Trainer) > 0);
