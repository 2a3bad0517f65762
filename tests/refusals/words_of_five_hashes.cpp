// entrain: HashedWords has 1 to 4 hashes for each attribute.
#include "entrain/embed/multi_hash.hpp"
#if defined(WRONG)
using Words = entrain::batch::HashedWords<5, 5000, 1000>;
#else
using Words = entrain::batch::HashedWords<2, 5000, 1000>;
#endif
static_assert(Words::keys > 0 && entrain::embed::MultiHash<96, Words>::out == 96);
