// entrain: EachSample<F, S> needs F to take the samples of S's chunks: void operator()(Sample&) to
#include "tests/refusals/own_stage.hpp"
#if defined(WRONG)
using F = Spelled;
#else
using F = Halved;
#endif
template class entrain::batch::EachSample<F, entrain::batch::Chunked<Numbers>>;
