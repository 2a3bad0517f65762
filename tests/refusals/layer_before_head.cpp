// entrain: the first argument of head::After must compute each row from that row alone
#include "entrain/encode/window.hpp"
#include "entrain/head/after.hpp"
#include "entrain/head/softmax.hpp"
using namespace entrain;
#if defined(WRONG)
using Layer = encode::MaxoutWindow<32, 1>;
#else
using Layer = layer::LayerNorm<32>;
#endif
using Head = head::After<Layer, head::Softmax<32, text::Bio>>;
static_assert(Head::in == 32);
