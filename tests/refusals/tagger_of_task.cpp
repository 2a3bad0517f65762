// entrain: predict::Tagger finds entities, and the head of this model does not learn tags; use predict::Predictor.
// host only
#include "entrain/cpu.hpp"
#include "entrain/predict.hpp"
#include "tests/extending/rating/head.hpp"
using namespace entrain;
#if defined(WRONG)
using Head = rating::Head<64>;
#else
using Head = head::Softmax<64, text::Bio>;
#endif
using Model = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, Head>;
auto load() { return predict::load<Model>("folder"); }
