// entrain: this layer has no 'template <class P, class D, Needs G> struct Impl', its implementation
#include "tests/refusals/own_layer.hpp"
#if defined(WRONG)
using Net = Own<Misses::on>;
#else
using Net = Own<Misses::nothing>;
#endif
static_assert(entrain::layer_contract<Net, entrain::precision::Fp32, entrain::device::Plan>());
