// entrain: Sequence<...> needs at least one layer.
#include "entrain/layer/linear.hpp"
#include "entrain/layer/sequence.hpp"
#if defined(WRONG)
using Net = entrain::layer::Sequence<>;
#else
using Net = entrain::layer::Sequence<entrain::layer::Linear<8, 8>>;
#endif
static_assert(sizeof(Net) > 0);
