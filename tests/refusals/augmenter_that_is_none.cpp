// entrain: an augmenter needs 'static constexpr std::uint32_t kind' and 'bool operator()(text::Draft&, Random&)'
#include "entrain/batch/pack/augmented.hpp"
#include "tests/refusals/own_source.hpp"
using namespace entrain;
struct Shout {
  static constexpr std::uint32_t kind = 1;
#if defined(WRONG)
  void operator()(text::Draft&, Random&) const {}
#else
  bool operator()(text::Draft&, Random&) const { return false; }
#endif
};
static_assert(sizeof(batch::Augmented<Own<text::Corpus>, Shout>) > 0);
