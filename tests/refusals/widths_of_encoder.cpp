// entrain: neighbouring layers disagree on width; see WidthsMeet<Produced, Expected>
#include "entrain/embed/multi_hash.hpp"
#include "entrain/encode/window.hpp"
#include "entrain/head/crf.hpp"
#include "entrain/model/tagger.hpp"
using namespace entrain;
#if defined(WRONG)
using Net = model::Tagger<embed::MultiHash<96>, encode::MaxoutWindow<64, 4>, head::Crf<64, text::Bioes>>;
#else
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 4>, head::Crf<64, text::Bioes>>;
#endif
static_assert(Net::width == 64);
