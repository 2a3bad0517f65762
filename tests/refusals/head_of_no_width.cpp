// entrain: head::Crf<C, Scheme> needs C >= 1, the number of channels, as in Crf<96, Bioes>.
#include "entrain/head/crf.hpp"
#if defined(WRONG)
using Head = entrain::head::Crf<0, entrain::text::Bioes>;
#else
using Head = entrain::head::Crf<96, entrain::text::Bioes>;
#endif
static_assert(Head::in >= 0);
