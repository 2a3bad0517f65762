// entrain: the width of a transformer must be a multiple of its number of heads; see TransformerConfig.
#include "entrain/encode/post_norm.hpp"
using namespace entrain;
#if defined(WRONG)
constexpr encode::TransformerConfig width{.width = 96, .heads = 9};
#else
constexpr encode::TransformerConfig width{.width = 96, .heads = 8};
#endif
static_assert(encode::PostNormBlock<width>::in == 96);
static_assert(sizeof(encode::PostNormBlock<width>::Weights<float>) > 0);
