// entrain: this source or stage does not name the scheme of its tags: add 'using Tags = text::Bio;' to it
#include "entrain/batch/pack/augmented.hpp"
#include "entrain/text/augment/recase.hpp"
#include "tests/refusals/own_source.hpp"
using namespace entrain;
#if defined(WRONG)
using Source = Untagged<text::Corpus>;
#else
using Source = Own<text::Corpus>;
#endif
static_assert(sizeof(batch::Augmented<Source, text::Recase>) > 0);
