// entrain: a stage takes other items than the stage inside it yields; see ItemsMeet<Given, Taken>.
#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/pack/packed.hpp"
#include "entrain/batch/pack/shuffled.hpp"
#include "entrain/task/tagging.hpp"
#include "tests/refusals/own_source.hpp"
using namespace entrain;
using Encode = batch::Encode<batch::HashedWords<1, 100, 100, 100, 100>, task::Tagging<text::Bioes>, Own<text::Corpus>>;
#if defined(WRONG)
using Packed = batch::Packed<Encode>;
#else
using Packed = batch::Packed<batch::Shuffled<Encode>>;
#endif
static_assert(sizeof(Packed) > 0);
