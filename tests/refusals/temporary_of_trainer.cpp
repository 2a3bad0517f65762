// entrain: the device of a trainer must outlive it, and this one is a temporary: name it, as in 'const
// host only
#include "entrain/cpu.hpp"
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>;
void train_here() {
#if defined(WRONG)
  Trainer trainer(device::Cpu<>(2), Trainer::Labels({"PER"}), 8, 1);
#else
  const device::Cpu<> dev(2);
  Trainer trainer(dev, Trainer::Labels({"PER"}), 8, 1);
#endif
}
