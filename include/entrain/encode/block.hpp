// text > batch > embed > [encode] > head > optim > checkpoint
//
// Attention, then the feed-forward layer: the block of every transformer, for any placement of its norms.
// In: vectors [N,C] and cu_seqlens. Out: vectors [N,C].
#pragma once
#include <cstdint>

#include "entrain/device/step.hpp"
#include "entrain/encode/attention.hpp"
#include "entrain/encode/feed_forward.hpp"
#include "entrain/kernel/bias/gathering_step.hpp"
#include "entrain/kernel/gather/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::encode {

/// y = second(first(x)), each with its residual and its norm (post_norm.hpp, pre_norm.hpp).
///
/// shapes    x, y and the vectors between [N,C]; cu_seqlens [sentences + 1]
/// requires  First::out == Second::in, Second::out == First::in
/// saves     what both save, and the vectors between them
template <class First, class Second> struct Block {
  static_assert(WidthsMeet<First::out, Second::in>::value && WidthsMeet<Second::out, First::in>::value);
  static constexpr int in = First::in, out = Second::out, C = First::out;
  static constexpr bool picks_rows = true, supports_deferred_join = true;

  template <class T> struct Weights {
    typename First::template Weights<T> attention;
    typename Second::template Weights<T> feed_forward;
    /// Its place in a stack, for an attention that depends on it.
    constexpr void at_block([[maybe_unused]] int i) {
      if constexpr (requires { attention.at_block(i); }) attention.at_block(i);
    }
    static void each(auto&& f, auto& w) {
      if constexpr (requires { First::names_attention; }) {
        First::template Weights<T>::each(f, w.attention);
      } else {
        f.part("attention", w.attention);
      }
      Second::template Weights<T>::each(f, w.feed_forward);  // at the level of "attention", as Hugging Face names them
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Lower = entrain::Impl<First, P, D, G>;
    using Upper = entrain::Impl<Second, P, D, Needs{G.params, G.params || G.input}>;
    struct Saved {
      typename Lower::Saved attention;
      Rows<A, C> between;
      typename Upper::Saved feed_forward;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {Lower::allocate_saved(arena, shape), take_rows<A, C>(arena, shape.rows),
              Upper::allocate_saved(arena, shape)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      saved.between.n = x.n;
      Lower::forward(at.at(0), w.attention, x, saved.between, saved.attention);
      Upper::forward(at.at(1), w.feed_forward, Rows<const A, C>(saved.between), y, saved.feed_forward);
    }
    /// y = some rows of the result: after attention each row is computed independently.
    ///
    /// rows      [y.n] indices of the rows      some [y.n,C] those rows after attention, saved for backward
    static void forward_rows(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x,
                             const std::int32_t* rows, Rows<A, C> some, Rows<A, C> y, Saved& saved) {
      saved.between.n = x.n;
      Lower::forward(at.at(0), w.attention, x, saved.between, saved.attention);
      kernel::gather(at.dev, Rows<const A, C>(saved.between), rows, some);
      Upper::forward(at.at(1).with_rows(y.n), w.feed_forward, Rows<const A, C>(some), y, saved.feed_forward);
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<typename P::Sum>& g) {
      const kernel::GatheringStep<D, G.params> at(step);
      const auto between = take_rows<Grad, C>(at.scratch, at.shape.rows);
      Upper::backward(at.at(1), w.feed_forward, saved.feed_forward, dy, between, Write::assign, g.feed_forward);
      Lower::backward(at.at(0), w.attention, saved.attention, Rows<const Grad, C>(between), dx, how, g.attention);
    }
    /// The adjoint of forward_rows: dy of those rows; row_of [N] the index of each row among them, or -1.
    static void backward_rows(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                              Rows<const Grad, C> dy, const std::int32_t* row_of, Rows<Grad, C> dx, Write how,
                              const Weights<typename P::Sum>& g) {
      const kernel::GatheringStep<D, G.params> at(step);
      const auto some = take_rows<Grad, C>(at.scratch, dy.n);
      const auto between = take_rows<Grad, C>(at.scratch, at.shape.rows);
      Upper::backward(at.at(1).with_rows(dy.n), w.feed_forward, saved.feed_forward, dy, some, Write::assign,
                      g.feed_forward);
      kernel::gather_back(at.dev, Rows<const Grad, C>(some), row_of, between);
      Lower::backward(at.at(0), w.attention, saved.attention, Rows<const Grad, C>(between), dx, how, g.attention);
    }
  };
};

}  // namespace entrain::encode
