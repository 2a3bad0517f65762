// entrain: BERT has no attention window: other programs would read its folder as full attention; see TransformerConfig.
// host only
#include "entrain/checkpoint/bert_config.hpp"
#include "entrain/encode/post_norm.hpp"
using namespace entrain;
#if defined(WRONG)
constexpr encode::TransformerConfig width{.width = 96, .heads = 8, .window = 16};
#else
constexpr encode::TransformerConfig width{.width = 96, .heads = 8};
#endif
inline void use(checkpoint::BertConfig& config) { encode::PostNormBlock<width>::extents(config); }
