// entrain: this layer's Impl<P, D>::backward does not take (const Step<D>&, const Weights<const P::Weight>&, const
// Saved&,
#include "entrain/layer/linear.hpp"
#include "entrain/layer/sequence.hpp"
#include "tests/refusals/made_real.hpp"
using namespace entrain;
struct Own : layer::Linear<8, 8> {
  template <Precision P, class D, Needs G> struct Impl {
    using Real = entrain::Impl<layer::Linear<8, 8>, P, D, G>;
    using Saved = typename Real::Saved;
    static Saved allocate_saved(Arena& arena, Shape shape) { return Real::allocate_saved(arena, shape); }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w,
                        Rows<const typename P::Activation, 8> x, Rows<typename P::Activation, 8> y, Saved& saved) {
      Real::forward(at, w, x, y, saved);
    }
#if defined(WRONG)
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const typename P::Gradient, 8> dy, Rows<typename P::Gradient, 8> dx,
                         const Weights<typename P::Sum>& g) {
      Real::backward(at, w, saved, dy, dx, Write::assign, g);
    }
#else
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const typename P::Gradient, 8> dy, Rows<typename P::Gradient, 8> dx, Write how,
                         const Weights<typename P::Sum>& g) {
      Real::backward(at, w, saved, dy, dx, how, g);
    }
#endif
  };
};
void step() { forward_and_backward<layer::Sequence<layer::Linear<8, 8>, Own>>(); }
