// entrain: this head has no decode(const Step<D>&, const Weights<const P::Weight>&, Rows<const P::Activation, in>,
#include "tests/refusals/own_head.hpp"
#if defined(WRONG)
using Head = OwnHead<HeadMisses::decode>;
#else
using Head = OwnHead<HeadMisses::nothing>;
#endif
static_assert(entrain::head::head_contract<Head, entrain::precision::Fp32, entrain::device::Plan>());
