// entrain: the first argument of model::Tagger is not an embedding
// host only
#include "entrain/cpu.hpp"
using namespace entrain;
#if defined(WRONG)
using Net = model::Tagger<encode::MaxoutWindow<64, 2>, embed::MultiHash<64>, head::Softmax<64, text::Bio>>;
#else
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
#endif
static_assert(sizeof(Net) > 0);
