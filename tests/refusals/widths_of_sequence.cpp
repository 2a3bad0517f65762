// entrain: this layer has no 'static constexpr int in' and 'out', its input and output widths
#include "entrain/layer/dropout.hpp"
#include "entrain/layer/sequence.hpp"
using namespace entrain;
struct Part {
  static constexpr int in = 8;
#if !defined(WRONG)
  static constexpr int out = 8;
#endif
};
using Encoder = layer::Sequence<layer::Dropout<8>, Part>;
static_assert(sizeof(Encoder) > 0);
