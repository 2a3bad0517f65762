// entrain: app::ner takes a trainer, as in app::ner<train::Trainer<Model,
// host only
#define ENTRAIN_COMPILED
#include "entrain/app/ner.hpp"
#include "entrain/cpu.hpp"
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
#if defined(WRONG)
using Trainer = Net;
#else
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>;
#endif
int run(int argc, char** argv) { return app::ner<Trainer>(argc, argv); }
