// text > batch > embed > [encode] > head > optim > checkpoint
//
// BERT's block: attention, then the feed-forward layer, each with its residual and the norm behind it.
// In: vectors [N,C] and cu_seqlens. Out: vectors [N,C]. Read encode/attention.hpp and encode/feed_forward.hpp first.
#pragma once
#include <string>

#include "entrain/encode/attention.hpp"
#include "entrain/encode/feed_forward.hpp"

namespace entrain::encode {

/// y = feed_forward(attention(x)), both with residual and norm.
///
/// saves     what both save, and the vectors between them
/// source    Devlin et al. 2018, arXiv:1810.04805, section 3
template <Width W, class Act = act::Gelu> struct PostNormBlock {
  static constexpr int in = W.width, out = W.width, C = W.width;
  static std::string describe() { return W.describe("PostNormBlock", Act::name); }
  using Attention = AttentionNorm<W>;
  using FeedForward = FeedForwardNorm<W, Act>;

  template <class T> struct Weights {
    typename Attention::template Weights<T> attention;
    typename FeedForward::template Weights<T> feed_forward;
    static void each(auto&& f, auto& w) {
      f.part("attention", w.attention);
      FeedForward::template Weights<T>::each(f, w.feed_forward);  // beside "attention", as Hugging Face names them
    }
  };

  template <Precision P, class D, Needs G> struct On {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using First = entrain::On<Attention, P, D, G>;
    using Second = entrain::On<FeedForward, P, D, Needs{G.params, true}>;
    struct Saved {
      typename First::Saved attention;
      Rows<A, C> between;
      typename Second::Saved feed_forward;
    };
    static Saved keep(Arena& arena, Shape shape) {
      return {First::keep(arena, shape), take_rows<A, C>(arena, shape.rows), Second::keep(arena, shape)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      saved.between.n = x.n;
      First::forward(at.at(0), w.attention, x, saved.between, saved.attention);
      Second::forward(at.at(1), w.feed_forward, Rows<const A, C>(saved.between), y, saved.feed_forward);
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<typename P::Sum>& g) {
      const Scratch give_back{at.scratch};
      const auto between = take_rows<Grad, C>(at.scratch, at.shape.rows);
      Second::backward(at.at(1), w.feed_forward, saved.feed_forward, dy, between, Write::assign, g.feed_forward);
      First::backward(at.at(0), w.attention, saved.attention, Rows<const Grad, C>(between), dx, how, g.attention);
    }
  };
};

}  // namespace entrain::encode
