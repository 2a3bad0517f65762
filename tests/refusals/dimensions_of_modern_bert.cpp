// entrain: the width of a transformer must be a multiple of its number of heads; see ModernBertConfig.
// entrain: local_attention must be even and above 0, half of it on each side; see ModernBertConfig.
// entrain: global_attn_every_n_layers must be at least 1, where every block is global; see ModernBertConfig.
// entrain: the width of a transformer must be a multiple of 16; see ModernBertConfig.
// entrain: the bases of rotary frequencies must be above 0; see ModernBertConfig.
#include "entrain/encode/modern_bert.hpp"
using namespace entrain;
#if WRONG == 1
constexpr encode::ModernBertConfig width{.width = 96, .heads = 7};
#elif WRONG == 2
constexpr encode::ModernBertConfig width{.width = 96, .heads = 6, .local_attention = 7};
#elif WRONG == 3
constexpr encode::ModernBertConfig width{.width = 96, .heads = 6, .global_attn_every_n_layers = 0};
#elif WRONG == 4
constexpr encode::ModernBertConfig width{.width = 100, .heads = 5};
#elif WRONG == 5
constexpr encode::ModernBertConfig width{.width = 96, .heads = 6, .local_rope_theta = 0};
#else
constexpr encode::ModernBertConfig width{.width = 96, .heads = 6};
#endif
static_assert(encode::ModernBertBlock<width>::in > 0);
static_assert(sizeof(encode::ModernBertBlock<width>::Weights<float>) > 0);
