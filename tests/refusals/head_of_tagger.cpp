// entrain: the third argument of model::Tagger is not a head, with 'in', Task, loss_name and Weights; the arguments are
// host only
#include "entrain/cpu.hpp"
using namespace entrain;
#if defined(WRONG)
using Head = layer::Linear<64, 9>;
#else
using Head = head::Softmax<64, text::Bio>;
#endif
static_assert(sizeof(model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, Head>) > 0);
