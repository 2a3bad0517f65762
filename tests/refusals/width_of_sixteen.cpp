// entrain: the width of a transformer must be a multiple of 16; see TransformerConfig.
#include "entrain/encode/post_norm.hpp"
using namespace entrain;
#if defined(WRONG)
constexpr encode::TransformerConfig width{.width = 24, .heads = 2};
#else
constexpr encode::TransformerConfig width{.width = 32, .heads = 2};
#endif
static_assert(encode::PostNormBlock<width>::in > 0);
static_assert(sizeof(encode::PostNormBlock<width>::Weights<float>) > 0);
