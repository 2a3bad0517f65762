// entrain: the labels are not those of the head's task, as tags of another scheme; see LabelsMeet<Given, Wanted>
// host only
#include "entrain/cpu.hpp"
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Crf<64, text::Bioes>>;
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>;
#if defined(WRONG)
using Labels = text::Labels<text::Bio>;
#else
using Labels = text::Labels<text::Bioes>;
#endif
Trainer make(const device::Cpu<>& cpu) { return Trainer(cpu, Labels({"PER", "LOC"}), 1024, 0); }
