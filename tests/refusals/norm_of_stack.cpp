// entrain: the second argument of encode::WithNorm must compute each row from that row alone
#include "entrain/encode/window.hpp"
#include "entrain/encode/with_norm.hpp"
using namespace entrain;
#if defined(WRONG)
using Norm = layer::Residual<layer::Sequence<encode::Window<32, 1>, layer::Maxout<96, 32, 2>>>;
#else
using Norm = layer::LayerNorm<32>;
#endif
using Encode = encode::WithNorm<encode::MaxoutWindow<32, 2>, Norm>;
static_assert(Encode::out == 32);
