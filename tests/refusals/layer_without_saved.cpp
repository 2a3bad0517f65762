// entrain: this layer has no Impl<P, D>::Saved, the values that backward needs
#include "tests/refusals/own_layer.hpp"
#if defined(WRONG)
using Net = Own<Misses::saved>;
#else
using Net = Own<Misses::nothing>;
#endif
static_assert(entrain::layer_contract<Net, entrain::precision::Fp32, entrain::device::Plan>());
