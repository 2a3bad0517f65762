// entrain: these features are of numbers, so no text can be encoded for them; see ReadsWords<F>
// entrain: these features are of words and not of numbers; see TakesNumbers<F>
// entrain: EncodeSamples<Features, Task, S> needs S to yield std::vector<batch::Sample<Number>>, or rows of batch::Npy
// entrain: these features are of numbers, so no text can be encoded for them; see ReadsWords<F>
#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/encode_samples.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/encode/ids.hpp"
#include "entrain/batch/numpy/npy.hpp"
#include "entrain/task/classification.hpp"
#include "tests/refusals/own_source.hpp"
#if !defined(WRONG)
#define WRONG 0
#endif
using namespace entrain;
using Task = task::Classification<task::One>;
using Ids = batch::Ids<100>;
using Words = batch::HashedWords<1, 100, 100, 100, 100>;
using Rows = batch::Npy<std::int64_t, std::int64_t>;
#if WRONG == 1
static_assert(sizeof(batch::Encode<Ids, Task, Own<text::Corpus>>) > 0);
#elif WRONG == 2
static_assert(sizeof(batch::EncodeSamples<Words, Task, Rows>) > 0);
#elif WRONG == 3
static_assert(sizeof(batch::EncodeSamples<Ids, Task, Own<int>>) > 0);
#elif WRONG == 4
auto encoded(const text::Corpus& corpus) { return batch::encode<Ids>(corpus); }
#else
static_assert(sizeof(batch::EncodeSamples<Ids, Task, Rows>) > 0);
auto encoded(const text::Corpus& corpus) { return batch::encode<Words>(corpus); }
#endif
