// entrain: this source or stage does not name the scheme of its tags: add 'using Tags = text::Bio;' to it
#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/task/tagging.hpp"
#include "tests/refusals/own_source.hpp"
using namespace entrain;
#if defined(WRONG)
using Source = Untagged<text::Corpus>;
#else
using Source = Own<text::Corpus>;
#endif
static_assert(sizeof(batch::Encode<batch::HashedWords<1, 100, 100, 100, 100>, task::Tagging<text::Bioes>, Source>) > 0);
