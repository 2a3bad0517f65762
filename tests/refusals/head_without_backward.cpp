// entrain: this head has no backward(const Step<D>&, const Weights<const P::Weight>&, const Saved&,
#include "tests/refusals/own_head.hpp"
#if defined(WRONG)
using Head = OwnHead<HeadMisses::backward>;
#else
using Head = OwnHead<HeadMisses::nothing>;
#endif
static_assert(entrain::head::head_contract<Head, entrain::precision::Fp32, entrain::device::Plan>());
