// entrain: this layer has no 'template <class T> struct Weights', its parameters and their names
#include "tests/refusals/own_layer.hpp"
#if defined(WRONG)
using Net = Own<Misses::weights>;
#else
using Net = Own<Misses::nothing>;
#endif
static_assert(entrain::layer_contract<Net, entrain::precision::Fp32, entrain::device::Plan>());
