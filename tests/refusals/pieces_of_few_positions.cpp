// entrain: Pieces<Positions, Rows> needs at least 8 positions.
#include "entrain/embed/bert.hpp"
using namespace entrain;
#if defined(WRONG)
using Embed = embed::Bert<embed::EmbeddingConfig{.positions = 4, .width = 32}>;
#else
using Embed = embed::Bert<embed::EmbeddingConfig{.positions = 64, .width = 32}>;
#endif
static_assert(Embed::Features::positions > 0);
