// entrain: the FileTargets of this task have no 'work()' whose result is called as (const text::Corpus&
#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "tests/refusals/own_source.hpp"
using namespace entrain;
struct Lengths {
  auto work() const {
#if defined(WRONG)
    return [](const text::Corpus&, batch::GoldCounts&) {};
#else
    return [](const text::Corpus&, auto& encoded, batch::GoldCounts&) { encoded.target.assign(encoded.targets(), 1); };
#endif
  }
};
struct Task {
  template <class> using FileTargets = Lengths;
};
using Encode = batch::Encode<batch::HashedWords<1, 100, 100, 100, 100>, Task, Own<text::Corpus>>;
static_assert(sizeof(Encode) > 0);
