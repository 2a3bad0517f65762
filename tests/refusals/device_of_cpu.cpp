// entrain: the argument of device::Cpu is a device, not the products of one
// host only
#include "entrain/cpu.hpp"
#include "examples/12_own_device/timed.hpp"
using namespace entrain;
using Tagger = model::Tagger<embed::MultiHash<8, batch::HashedWords<1, 50, 50, 50, 50>, 2>,
                             encode::MaxoutWindow<8, 1, 1, 2>, head::Softmax<8, text::Bio>>;
#if defined(WRONG)
using Device = device::Cpu<own::Timed>;
#else
using Device = own::Timed;
#endif
static_assert(sizeof(train::Trainer<Tagger, precision::Fp32, Device, optim::AdamW>) > 0);
