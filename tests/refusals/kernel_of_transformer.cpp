// entrain: no included header implements this kernel for this device: include entrain/cpu_transformer.hpp, or
// host only
#include "entrain/cpu.hpp"
#include "entrain/model/bert.hpp"
#if !defined(WRONG)
#include "entrain/cpu_transformer.hpp"
#endif
using namespace entrain;
using Net = model::FineTuned<model::MiniLmL6, head::Softmax, text::Bio>;
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>;
void learn(Trainer& trainer, const batch::Batch<Trainer::Features>& batch) { trainer.accumulate(batch, 0.1f); }
