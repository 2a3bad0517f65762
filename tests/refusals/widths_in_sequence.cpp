// entrain: neighbouring layers disagree on width; see WidthsMeet<Produced, Expected>
#include "entrain/layer/linear.hpp"
#include "entrain/layer/sequence.hpp"
using namespace entrain::layer;
#if defined(WRONG)
using Net = Sequence<Linear<8, 12>, Linear<16, 4>>;
#else
using Net = Sequence<Linear<8, 12>, Linear<12, 4>>;
#endif
static_assert(Net::in == 8 && Net::out == 4);
