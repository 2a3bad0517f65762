// entrain: this embedding has no each_table(const Features::View&, f), which calls f(CsrIndex) for each of its tables;
// entrain: this embedding has no 'static Saved allocate_saved(Arena&, Shape)' in Impl<P, D, G>, memory for what
// backward needs; entrain: this embedding has no forward(const Step<D>&, const Weights<const P::Weight>&, const
// Features::View&, entrain: this embedding has no backward(const Step<D>&, const Weights<const P::Weight>&, const
// Saved&, const entrain: this type is not a feature type; see AreFeatures<F>: use the features of the trainer
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/encode/window.hpp"
#include "entrain/head/softmax.hpp"
#include "entrain/model/tagger.hpp"
#if !defined(WRONG)
#define WRONG 0
#endif
using namespace entrain;
using Hashed = batch::HashedWords<1, 100, 100, 100, 100>;
struct NoFeatures {
  using View = Hashed::View;
};
struct Own {  // gives zeros
#if WRONG == 5
  using Features = NoFeatures;
#else
  using Features = Hashed;
#endif
  static constexpr int out = 8;
#if WRONG != 1
  static void each_table(const Features::View&, auto&&) {}
#endif
  template <class T> struct Weights {
    static void each(auto&&, auto&) {}
  };
  template <Precision P, class D, Needs G> struct Impl {
    struct Saved {};
#if WRONG != 2
    static Saved allocate_saved(Arena&, Shape) { return {}; }
#endif
#if WRONG == 3
    static void forward(const Step<D>&, const Weights<const typename P::Weight>&, const Features::View&,
                        Rows<typename P::Activation, 4>, Saved&) {}
#else
    static void forward(const Step<D>&, const Weights<const typename P::Weight>&, const Features::View&,
                        Rows<typename P::Activation, 8>, Saved&) {}
#endif
#if WRONG != 4
    static void backward(const Step<D>&, const Weights<const typename P::Weight>&, const Saved&, const Features::View&,
                         Rows<const typename P::Gradient, 8>, const Weights<typename P::Sum>&) {}
#endif
  };
};
using Net = model::Tagger<Own, encode::MaxoutWindow<8, 1>, head::Softmax<8, text::Bio>>;
static_assert(sizeof(Net::Impl<precision::Fp32, device::Plan>) > 0);
