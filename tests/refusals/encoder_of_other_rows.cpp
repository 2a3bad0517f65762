// entrain: this layer's Impl<P, D>::forward does not take (const Step<D>&, const Weights<const P::Weight>&, Rows<const
// entrain: this encoder declares picks_rows, but its Impl<P, D> has no forward_rows(const Step<D>&, const Weights<const
// entrain: this encoder declares picks_rows, but its Impl<P, D> has no backward_rows(const Step<D>&, const
// Weights<const
#include "entrain/device/plan.hpp"
#include "entrain/embed/multi_hash.hpp"
#include "entrain/head/softmax.hpp"
#include "entrain/model/tagger.hpp"
#if !defined(WRONG)
#define WRONG 0
#endif
using namespace entrain;
struct Own {  // y = x
  static constexpr int in = 8, out = 8;
  static constexpr bool picks_rows = true;
  template <class T> struct Weights {
    static void each(auto&&, auto&) {}
  };
  template <Precision P, class D, Needs G> struct Impl {
    struct Saved {};
    using Values = Weights<const typename P::Weight>;
    using Gradients = Weights<typename P::Sum>;
    using X = Rows<const typename P::Activation, WRONG == 1 ? 4 : 8>;
    using Dy = Rows<const typename P::Gradient, 8>;
    static Saved allocate_saved(Arena&, Shape) { return {}; }
    static void forward(const Step<D>&, const Values&, X, Rows<typename P::Activation, 8>, Saved&) {}
    static void backward(const Step<D>&, const Values&, const Saved&, Dy, Rows<typename P::Gradient, 8>, Write,
                         const Gradients&) {}
#if WRONG != 2
    static void forward_rows(const Step<D>&, const Values&, X, const std::int32_t*, Rows<typename P::Activation, 8>,
                             Saved&) {}
#endif
#if WRONG != 3
    static void backward_rows(const Step<D>&, const Values&, const Saved&, Dy, const std::int32_t*,
                              Rows<typename P::Gradient, 8>, Write, const Gradients&) {}
#endif
  };
};
using Net = model::Tagger<embed::MultiHash<8>, Own, head::Softmax<8, text::Bio>>;
static_assert(sizeof(Net::Impl<precision::Fp32, device::Plan>) > 0);
