// entrain: Stack<N, Block> needs N >= 1 blocks.
#include "entrain/layer/linear.hpp"
#include "entrain/layer/stack.hpp"
#if defined(WRONG)
using Net = entrain::layer::Stack<0, entrain::layer::Linear<8, 8>>;
#else
using Net = entrain::layer::Stack<1, entrain::layer::Linear<8, 8>>;
#endif
static_assert(sizeof(Net) > 0);
