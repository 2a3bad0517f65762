// entrain: Maxout<I, C, Pieces> needs Pieces >= 2, as in Maxout<288, 96, 3>.
#include "entrain/layer/maxout.hpp"
#if defined(WRONG)
using Net = entrain::layer::Maxout<288, 96, 1>;
#else
using Net = entrain::layer::Maxout<288, 96, 2>;
#endif
static_assert(Net::out == 96);
