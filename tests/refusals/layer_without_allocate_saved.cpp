// entrain: this layer has no Impl<P, D>::allocate_saved(Arena&, Shape), which allocates what backward needs
#include "tests/refusals/own_layer.hpp"
#if defined(WRONG)
using Net = Own<Misses::allocate_saved>;
#else
using Net = Own<Misses::nothing>;
#endif
static_assert(entrain::layer_contract<Net, entrain::precision::Fp32, entrain::device::Plan>());
