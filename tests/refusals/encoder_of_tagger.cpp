// entrain: the second argument of model::Tagger is not an encoder, a layer with 'in', 'out' and Weights
// host only
#include "entrain/cpu.hpp"
using namespace entrain;
#if defined(WRONG)
using Net = model::Tagger<embed::MultiHash<64>, head::Softmax<64, text::Bio>, head::Softmax<64, text::Bio>>;
#else
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
#endif
static_assert(sizeof(Net) > 0);
