// entrain: HashedWords has 1 to 6 tables: NORM, PREFIX, SUFFIX, SHAPE, PREFIX3, SUFFIX2.
#include "entrain/embed/multi_hash.hpp"
#if defined(WRONG)
using Words = entrain::batch::HashedWords<4, 5000, 1000, 2500, 2500, 100, 100, 100>;
#else
using Words = entrain::batch::HashedWords<4, 5000, 1000, 2500, 2500, 100, 100>;
#endif
static_assert(Words::keys > 0 && entrain::embed::MultiHash<96, Words>::out == 96);
