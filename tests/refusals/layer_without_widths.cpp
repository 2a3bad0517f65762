// entrain: this layer has no 'static constexpr int in' and 'out', its input and output widths
#include "tests/refusals/own_layer.hpp"
#if defined(WRONG)
using Net = Own<Misses::widths>;
#else
using Net = Own<Misses::nothing>;
#endif
static_assert(entrain::layer_contract<Net, entrain::precision::Fp32, entrain::device::Plan>());
