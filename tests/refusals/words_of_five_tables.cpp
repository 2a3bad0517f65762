// entrain: HashedWords has 1 to 4 tables: NORM, PREFIX, SUFFIX, SHAPE.
#include "entrain/embed/multi_hash.hpp"
#if defined(WRONG)
using Words = entrain::batch::HashedWords<4, 5000, 1000, 2500, 2500, 100>;
#else
using Words = entrain::batch::HashedWords<4, 5000, 1000, 2500, 2500>;
#endif
static_assert(Words::keys > 0 && entrain::embed::MultiHash<96, Words>::out == 96);
