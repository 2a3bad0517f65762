// entrain: a window has 1 to 3 rows on each side.
#include "entrain/encode/window.hpp"
#include "tests/refusals/made_real.hpp"
#if defined(WRONG)
using Net = entrain::encode::Window<32, 9>;
#else
using Net = entrain::encode::Window<32, 3>;
#endif
void step() { forward_and_backward<Net>(); }
