// entrain: this layer has no Impl<P, D>::backward, so it cannot be trained; write it, or wrap the layer in
#include "entrain/layer/linear.hpp"
#include "entrain/layer/residual.hpp"
#include "entrain/layer/sequence.hpp"
#include "entrain/layer/stack.hpp"
#include "tests/refusals/made_real.hpp"
#include "tests/refusals/own_layer.hpp"
using namespace entrain::layer;
#if defined(WRONG)
using Part = Own<Misses::backward>;
#else
using Part = Own<Misses::nothing>;
#endif
void step() { forward_and_backward<Stack<2, Residual<Sequence<Linear<8, 8>, Part>>>>(); }
