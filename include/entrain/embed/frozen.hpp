// text > batch > [embed] > encode > head > optim > checkpoint
//
// An embedding that training does not change: no gradients, no moments, no dropout, nothing saved for backward. Read
// layer/frozen.hpp first.
#pragma once
#include "entrain/core/contract.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::embed {

/// y = embed(words), as in evaluation; the same folder as Embed
///
/// shapes    those of Embed; y [N,Embed::out]
/// saves     nothing
template <class Embed> struct Frozen {
  using Features = typename Embed::Features;
  static constexpr int out = Embed::out;
  static constexpr bool trainable = false;
  using Described = Embed;
  static void extents(auto& config) { Embed::extents(config); }
  /// No table has rows with deferred updates.
  static void each_table(const typename Features::View&, auto&&) {}

  template <class T> struct Weights {
    typename Embed::template Weights<T> embed;
    static void each(auto&& f, auto& w) { f.frozen(w.embed); }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using Inner = entrain::Impl<Embed, P, D, Needs{false, false}>;
    struct Saved {};
    static Saved allocate_saved(Arena&, Shape) { return {}; }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w,
                        const typename Features::View& words, Rows<typename P::Activation, out> y, Saved&) {
      const Scratch give_back{at.scratch};
      auto inner = Inner::allocate_saved(at.scratch, at.shape);
      Inner::forward(at.evaluating(), w.embed, words, y, inner);
    }
  };
};

}  // namespace entrain::embed
