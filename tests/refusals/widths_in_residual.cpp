// entrain: neighbouring layers disagree on width; see WidthsMeet<Produced, Expected>
#include "entrain/layer/linear.hpp"
#include "entrain/layer/residual.hpp"
using namespace entrain::layer;
#if defined(WRONG)
using Net = Residual<Linear<8, 12>>;
#else
using Net = Residual<Linear<8, 8>>;
#endif
static_assert(Net::in == 8);
