// entrain: Mapped<F, S> needs F to take the items of S: void operator()(Item&) to change them, or
#include "tests/refusals/own_stage.hpp"
#if defined(WRONG)
using F = Spelled;
#else
using F = Halved;
#endif
template class entrain::batch::Mapped<F, Numbers>;
