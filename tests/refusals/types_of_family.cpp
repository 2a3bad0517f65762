// entrain: embed::Bert<EmbeddingConfig, Family> has the wrong number of token types for the family
#include "entrain/embed/bert.hpp"
#include "entrain/family/distilbert.hpp"
using namespace entrain;
#if defined(WRONG)
using Embed = embed::Bert<embed::EmbeddingConfig{.types = 0}>;
#else
using Embed = embed::Bert<embed::EmbeddingConfig{.types = 0}, family::DistilBert>;
#endif
static_assert(Embed::out > 0);
