// entrain: a weight has no initialiser: pass one after it in 'each', as in
#include <string_view>

#include "entrain/tensor/flat.hpp"

struct Scale {
  template <class T> struct Weights {
    entrain::Weight<T, 1, 8> gain;
    static void each(auto&& f, auto& w) {
#if defined(WRONG)
      f("gain", w.gain);
#else
      f("gain", w.gain, entrain::init::ones);
#endif
    }
  };
};
const entrain::Layout layout = entrain::layout_of<Scale>(0);
