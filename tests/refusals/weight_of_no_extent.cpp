// entrain: a Weight's extents must be at least 1.
#include "entrain/layer/linear.hpp"
#include "tests/refusals/made_real.hpp"
#if defined(WRONG)
entrain::Weight<float, 0, 8> weight;
#else
entrain::Weight<float, 1, 8> weight;
#endif
