// entrain: a member of Weights is one matrix, and this Weight stacks several: give each its own member,
#include "entrain/layer/linear.hpp"
#include "tests/refusals/made_real.hpp"
template <class T> struct Weights {
#if defined(WRONG)
  entrain::Weight<T, 64, 32, 2> both;
#else
  entrain::Weight<T, 64, 32, 1> both;
#endif
  static void each(auto&& f, auto& w) { f("both.weight", w.both, entrain::init::ones); }
};
struct Layer {
  template <class T> using Weights = ::Weights<T>;
};
const entrain::Layout layout = entrain::layout_of<Layer>(0);
