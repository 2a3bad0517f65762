// entrain: a stage takes other items than the stage inside it yields; see ItemsMeet<Given, Taken>.
#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/pack/augmented.hpp"
#include "entrain/task/tagging.hpp"
#include "entrain/text/augment/recase.hpp"
#include "tests/refusals/own_source.hpp"
using namespace entrain;
using Words = batch::HashedWords<1, 100, 100, 100, 100>;
#if defined(WRONG)
using Stage = batch::Augmented<batch::Encode<Words, task::Tagging<text::Bioes>, Own<text::Corpus>>, text::Recase>;
#else
using Stage = batch::Encode<Words, task::Tagging<text::Bioes>, batch::Augmented<Own<text::Corpus>, text::Recase>>;
#endif
static_assert(sizeof(Stage) > 0);
