// entrain: neighbouring layers disagree on width; see WidthsMeet<Produced, Expected>
#include "entrain/layer/linear.hpp"
#include "entrain/layer/stack.hpp"
using namespace entrain::layer;
#if defined(WRONG)
using Net = Stack<3, Linear<8, 12>>;
#else
using Net = Stack<3, Linear<8, 8>>;
#endif
static_assert(Net::in == 8);
