// entrain: the first argument of train::Trainer is not a model, as model::Tagger<Embed, Encode, Head>
// entrain: the first argument of train::Trainer is not a model, as model::Tagger<Embed, Encode, Head>
// host only
#include "entrain/cpu.hpp"
using namespace entrain;
#if WRONG == 1
using Net = encode::MaxoutWindow<64, 2>;
#elif WRONG == 2
using Net = head::Softmax<64, text::Bio>;
#else
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
#endif
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>;
std::size_t size() { return sizeof(Trainer); }
