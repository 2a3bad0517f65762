// entrain: Rows<T, C> needs C >= 1, the number of channels.
#include "entrain/layer/linear.hpp"
#include "tests/refusals/made_real.hpp"
#if defined(WRONG)
void step() { forward_and_backward<entrain::layer::Linear<0, 8>>(); }
#else
void step() { forward_and_backward<entrain::layer::Linear<1, 8>>(); }
#endif
