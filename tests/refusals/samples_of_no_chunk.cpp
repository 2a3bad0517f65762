// entrain: EachSample<F, S> needs S to yield chunks of samples, such as std::vector<Sample>;
#include "tests/refusals/own_stage.hpp"
#if defined(WRONG)
using Chunks = Numbers;
#else
using Chunks = entrain::batch::Chunked<Numbers>;
#endif
template class entrain::batch::EachSample<Halved, Chunks>;
