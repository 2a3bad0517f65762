// text > batch > embed > [encode] > head > optim > checkpoint
//
// The residual and the norm after a part, as in BERT. In: vectors [N,C]. Out: vectors [N,C].
// Read encode/attention.hpp and encode/feed_forward.hpp first.
#pragma once
#include <string>

#include "entrain/device/backward_step.hpp"
#include "entrain/encode/block.hpp"
#include "entrain/kernel/map/contract.hpp"
#include "entrain/kernel/residual_norm/contract.hpp"

namespace entrain::encode {

/// y = norm(x + dropout(part(x) + b))
///
/// shapes    x, y [N,C]; output.dense.bias, output.LayerNorm [C]
/// saves     what the part saves, the sum before the norm [N,C] and its statistics [N,2]
/// source    Vaswani et al. 2017, arXiv:1706.03762, section 3.1; names of Hugging Face's BERT
template <TransformerConfig W, class Part> struct PostNorm {
  static constexpr int in = W.width, out = W.width, C = W.width;
  static std::string describe() { return "PostNorm<" + Part::describe() + ">"; }

  template <class T> struct Weights {
    typename Part::template Weights<T> part;
    Weight<T, 1, C> bias;
    Weight<MasterOf<T>, 1, C> gain, shift;
    static void each(auto&& f, auto& w) {
      Part::template Weights<T>::each(f, w.part);  // at the same level, as Hugging Face names them
      f("output.dense.bias", w.bias, init::zeros);
      f("output.LayerNorm.weight", w.gain, init::ones);
      f("output.LayerNorm.bias", w.shift, init::zeros);
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Sum = typename P::Sum;
    using Inner = entrain::Impl<Part, P, D, G>;
    struct Saved {
      typename Inner::Saved part;
      Rows<A, C> sum;
      Rows<Sum, 2> stat;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {Inner::allocate_saved(arena, shape), take_rows<A, C>(arena, shape.rows),
              take_rows<Sum, 2>(arena, shape.rows)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      const Scratch give_back{at.scratch};
      saved.sum.n = saved.stat.n = x.n;  // allocated for the most rows, used for this batch's
      const auto f = take_rows<A, C>(at.scratch, at.shape.rows);
      Inner::forward(at.at(0), w.part, x, f, saved.part);
      kernel::bias_dropout_add_norm(at.at(1), Rows<const A, C>(f), w.bias, x, w.gain, w.shift, W.eps, saved.sum,
                                    saved.stat, y);
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<Sum>& g) {
      const BackwardStep at(step);
      const auto df = take_rows<Grad, C>(at.scratch, at.shape.rows);
      // The residual's gradient is written to the input's gradient directly; the part's gradient adds to it.
      const auto dsum = how == Write::assign && G.input ? dx : take_rows<Grad, C>(at.scratch, at.shape.rows);
      const Rows<const A, C> sum = saved.sum;
      const Rows<const Sum, 2> stat = saved.stat;
      if constexpr (G.params) {
        kernel::bias_dropout_add_norm_gradients(at, at.at(1), dy, sum, stat, w.gain, dsum, df, g.bias, g.gain, g.shift);
      } else {
        kernel::bias_dropout_add_norm_back(at.at(1), dy, sum, stat, w.gain, dsum, df);
      }
      Inner::backward(at.at(0), w.part, saved.part, Rows<const Grad, C>(df), dsum, Write::add, g.part);
      if constexpr (G.input)
        if (how == Write::add) kernel::add(at.dev, Rows<const Grad, C>(dsum), dx);
    }
  };
};

/// BERT's block: attention, then the feed-forward layer, each followed by its residual and its norm.
///
/// shapes    x, y [N,W.width], cu_seqlens [sentences + 1]
/// source    Devlin et al. 2018, arXiv:1810.04805, section 3
template <TransformerConfig W, class Act = act::Gelu> struct PostNormBlock {
  using Parts = Block<PostNorm<W, Attention<W>>,
                      PostNorm<W, FeedForward<W, Act>>>;  // no base: nvcc 13 cannot read TransformerConfig there
  static constexpr int in = Parts::in, out = Parts::out;
  static constexpr bool picks_rows = true, supports_deferred_join = true;
  template <class T> using Weights = typename Parts::template Weights<T>;
  template <Precision P, class D, Needs G> using Impl = typename Parts::template Impl<P, D, G>;
  static std::string describe() { return W.describe("PostNormBlock", Act::name); }
  /// Its entries in config.json, under Hugging Face's keys.
  static void extents(auto& config) {
    static_assert(W.window == 0 || sizeof(config) == 0,
                  "entrain: BERT has no attention window: other programs would read its folder as full attention; see "
                  "TransformerConfig.");
    config.hidden_size = W.width, config.num_attention_heads = W.heads, config.intermediate_size = W.intermediate;
    config.layer_norm_eps = W.eps, config.hidden_act = Act::name;
    ++config.num_hidden_layers;
  }
};

}  // namespace entrain::encode
