// entrain: the commands of app::ner handle tags only, and the task of this trainer's head is another
// host only
#define ENTRAIN_COMPILED
#include "entrain/app/ner.hpp"
#include "entrain/cpu.hpp"
#include "tests/extending/rating/head.hpp"
using namespace entrain;
#if defined(WRONG)
using Head = rating::Head<64>;
#else
using Head = head::Softmax<64, text::Bio>;
#endif
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, Head>;
int run(int argc, char** argv) {
  return app::ner<train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>>(argc, argv);
}
