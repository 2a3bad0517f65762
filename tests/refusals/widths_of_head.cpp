// entrain: neighbouring layers disagree on width; see WidthsMeet<Produced, Expected>
#include "entrain/embed/multi_hash.hpp"
#include "entrain/encode/window.hpp"
#include "entrain/head/softmax.hpp"
#include "entrain/model/tagger.hpp"
using namespace entrain;
#if defined(WRONG)
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 4>, head::Softmax<96, text::Bio>>;
#else
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 4>, head::Softmax<64, text::Bio>>;
#endif
static_assert(Net::width == 64);
