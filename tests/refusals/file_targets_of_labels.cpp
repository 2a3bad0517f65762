// entrain: the FileTargets of this task are not made of its Labels
#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "tests/refusals/own_source.hpp"
using namespace entrain;
struct Labels {};
struct Lengths {
#if defined(WRONG)
  explicit Lengths(int) {}
#else
  Lengths(Labels) {}
#endif
  auto work() const {
    return [](const text::Corpus&, auto& encoded, batch::GoldCounts&) { encoded.target.assign(encoded.targets(), 1); };
  }
};
struct Task {
  using Labels = ::Labels;
  template <class> using FileTargets = Lengths;
};
using Encode = batch::Encode<batch::HashedWords<1, 100, 100, 100, 100>, Task, Own<text::Corpus>>;
static_assert(sizeof(Encode) > 0);
