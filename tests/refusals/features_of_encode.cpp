// entrain: this type is not a feature type; see AreFeatures<F>: use the features of the trainer
// entrain: the second argument of batch::Encode is not a task with 'template <class Source> using FileTargets'
// entrain: this type is not a feature type; see AreFeatures<F>: use the features of the trainer
// entrain: this type is not a feature type; see AreFeatures<F>: use the features of the trainer
// entrain: a stage takes other items than the stage inside it yields; see ItemsMeet<Given, Taken>.
#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/batch/pack/shuffled.hpp"
#include "entrain/task/tagging.hpp"
#include "tests/refusals/own_source.hpp"
#if !defined(WRONG)
#define WRONG 0
#endif
using namespace entrain;
using Source = Own<text::Corpus>;
using Words = batch::HashedWords<1, 100, 100, 100, 100>;
struct Net {
  using Features = Words;
};
#if WRONG == 1
static_assert(sizeof(batch::Encode<text::Bioes, task::Tagging<text::Bioes>, Source>) > 0);
#elif WRONG == 2
static_assert(sizeof(batch::Encode<Words, text::Bioes, Source>) > 0);
#elif WRONG == 3
static_assert(sizeof(batch::Packer<Net>) > 0);
#elif WRONG == 4
auto encoded(const text::Corpus& corpus) { return batch::encode<Net>(corpus); }
#elif WRONG == 5
static_assert(sizeof(batch::Shuffled<Source>) > 0);
#else
static_assert(sizeof(batch::Packer<Net::Features>) > 0);
static_assert(sizeof(batch::Shuffled<batch::Encode<Words, task::Tagging<text::Bioes>, Source>>) > 0);
auto encoded(const text::Corpus& corpus) { return batch::encode<Net::Features>(corpus); }
#endif
