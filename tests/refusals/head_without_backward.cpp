// entrain: this head has no backward(const Step<D>&, const Weights<const P::Weight>&, const Saved&,
#include "entrain/device/plan.hpp"
#include "entrain/head/contract.hpp"
#include "entrain/head/softmax.hpp"
using namespace entrain;
struct Own : head::Softmax<8, text::Bio> {
  template <Precision P, class D, Needs G> struct On {
    using Real = entrain::On<head::Softmax<8, text::Bio>, P, D, G>;
    using Saved = typename Real::Saved;
    static Saved keep(Arena& arena, Shape shape) { return Real::keep(arena, shape); }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w,
                        Rows<const typename P::Activation, 8> x, const std::int32_t* targets, typename P::Sum* loss,
                        Saved& saved) {
      Real::forward(at, w, x, targets, loss, saved);
    }
#if !defined(WRONG) || 0
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         const std::int32_t* targets, Rows<typename P::Gradient, 8> dx,
                         const Weights<typename P::Sum>& g) {
      Real::backward(at, w, saved, targets, dx, g);
    }
#endif
#if !defined(WRONG) || 1
    static void decode(const Step<D>& at, const Weights<const typename P::Weight>& w,
                       Rows<const typename P::Activation, 8> x, std::int32_t* tags) {
      Real::decode(at, w, x, tags);
    }
#endif
  };
};
static_assert(head::head_contract<Own, precision::Fp32, device::Plan>());
