// entrain: this layer has no Impl<P, D>::backward, so it cannot be trained; write it, or wrap the layer in
#include "tests/refusals/own_layer.hpp"
#if defined(WRONG)
using Net = Own<Misses::backward>;
#else
using Net = Own<Misses::nothing>;
#endif
static_assert(entrain::layer_contract<Net, entrain::precision::Fp32, entrain::device::Plan>());
