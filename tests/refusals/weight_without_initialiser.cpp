// entrain: a weight has no initialiser: pass one after it in 'each', as in
// entrain: a weight has no initialiser: pass one after it in 'each', as in
// entrain: these Weights have no 'static void each(auto&& f, auto& w)', which gives each member with
#include <string_view>

#include "entrain/tensor/flat.hpp"
#if !defined(WRONG)
#define WRONG 0
#endif

struct Scale {
  template <class T> struct Weights {
    entrain::Weight<T, 1, 8> gain;
#if WRONG == 3
    void
#else
    static void
#endif
    each(auto&& f, auto& w) {
#if WRONG == 1
      f("gain", w.gain);
#elif WRONG == 2
      f("gain", w.gain, 1.0);
#else
      f("gain", w.gain, entrain::init::ones);
#endif
    }
  };
};
const entrain::Layout layout = entrain::layout_of<Scale>(0);
