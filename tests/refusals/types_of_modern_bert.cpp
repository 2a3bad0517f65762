// entrain: embed::ModernBert has no token types: write .types = 0.
// entrain: the second argument of embed::ModernBert is not a family such as family::ModernBert; see
// family/contract.hpp.
#include "entrain/embed/modern_bert.hpp"
using namespace entrain;
struct Nothing {};
#if WRONG == 1
using Embed = embed::ModernBert<embed::EmbeddingConfig{}>;
#elif WRONG == 2
using Embed = embed::ModernBert<embed::EmbeddingConfig{.types = 0}, Nothing>;
#else
using Embed = embed::ModernBert<embed::EmbeddingConfig{.types = 0}>;
#endif
static_assert(Embed::out > 0);
