// entrain: a stage takes other items than the stage inside it yields; see ItemsMeet<Given, Taken>.
#include <string>

#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/task/tagging.hpp"
#include "tests/refusals/own_source.hpp"
using namespace entrain;
#if defined(WRONG)
using Source = Own<std::string>;
#else
using Source = Own<text::Corpus>;
#endif
using Encode = batch::Encode<batch::HashedWords<1, 100, 100, 100, 100>, task::Tagging<text::Bioes>, Source>;
static_assert(sizeof(Encode) > 0);
