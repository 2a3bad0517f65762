// entrain: the attention window must be even, half of it on each side, or 0 for whole sentences; see TransformerConfig.
#include "entrain/encode/post_norm.hpp"
using namespace entrain;
#if defined(WRONG)
constexpr encode::TransformerConfig width{.width = 96, .heads = 8, .window = 7};
#else
constexpr encode::TransformerConfig width{.width = 96, .heads = 8, .window = 8};
#endif
static_assert(encode::PostNormBlock<width>::in == 96);
static_assert(sizeof(encode::PostNormBlock<width>::Weights<float>) > 0);
