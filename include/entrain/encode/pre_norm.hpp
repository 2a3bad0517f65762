// text > batch > embed > [encode] > head > optim > checkpoint
//
// The norm before a part and the residual around both: deep stacks train without warm-up. In: vectors [N,C].
// Out: vectors [N,C], not normalised. Read encode/post_norm.hpp first.
#pragma once
#include <string>

#include "entrain/device/backward_step.hpp"
#include "entrain/encode/block.hpp"
#include "entrain/kernel/bias/contract.hpp"
#include "entrain/kernel/dropout/contract.hpp"
#include "entrain/kernel/layer_norm/contract.hpp"
#include "entrain/kernel/map/contract.hpp"

namespace entrain::encode {

/// y = x + dropout(part(norm(x)) + b)
///
/// shapes    x, y [N,C]; output.dense.bias, LayerNorm [C]
/// saves     what the part saves, the normalised vectors [N,C] and their statistics [N,2]; x is a view
/// source    Xiong et al. 2020, arXiv:2002.04745, figure 1 (b); names of Hugging Face's RobertaPreLayerNorm
template <TransformerConfig W, class Part> struct PreNorm {
  static constexpr int in = W.width, out = W.width, C = W.width;
  static std::string describe() { return "PreNorm<" + Part::describe() + ">"; }

  template <class T> struct Weights {
    Weight<MasterOf<T>, 1, C> gain, shift;
    typename Part::template Weights<T> part;
    Weight<T, 1, C> bias;
    static void each(auto&& f, auto& w) {
      f(Part::norm_before[0], w.gain, init::ones);
      f(Part::norm_before[1], w.shift, init::zeros);
      Part::template Weights<T>::each(f, w.part);
      f("output.dense.bias", w.bias, init::zeros);
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Sum = typename P::Sum;
    using Inner = entrain::Impl<Part, P, D, Needs{G.params, G.params || G.input}>;
    struct Saved {
      Rows<const A, C> x;
      Rows<A, C> normal;
      Rows<Sum, 2> stat;
      typename Inner::Saved part;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {{},
              take_rows<A, C>(arena, shape.rows),
              take_rows<Sum, 2>(arena, shape.rows),
              Inner::allocate_saved(arena, shape)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      saved.normal.n = x.n;  // allocated for the most rows, used for this batch's
      saved.x = x;
      kernel::layer_norm(at.dev, x, w.gain, w.shift, W.eps, saved.stat, saved.normal);
      Inner::forward(at.at(0), w.part, Rows<const A, C>(saved.normal), y, saved.part);
      kernel::add_bias(at.dev, w.bias, y);
      if (at.training) kernel::dropout(at.at(1), Rows<const A, C>(y), y, Write::assign);
      kernel::add(at.dev, x, y);
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<Sum>& g) {
      const BackwardStep at(step);
      const auto d = take_rows<Grad, C>(at.scratch, at.shape.rows);
      const auto dnormal = take_rows<Grad, C>(at.scratch, at.shape.rows);
      auto df = dy;
      if (at.training) {
        kernel::dropout(at.at(1), dy, d, Write::assign);
        df = d;
      }
      if constexpr (G.params) kernel::sum_rows(at.dev, df, g.bias, at.grads);
      Inner::backward(at.at(0), w.part, saved.part, df, dnormal, Write::assign, g.part);
      const Rows<const Grad, C> slope = dnormal;
      const Rows<const Sum, 2> stat = saved.stat;
      if constexpr (G.params) kernel::layer_norm_params(at.dev, slope, saved.x, stat, g.gain, g.shift, at.grads);
      if constexpr (G.input) {
        kernel::layer_norm_back(at.dev, slope, saved.x, stat, w.gain, dx, how);
        kernel::add(at.dev, dy, dx);
      }
    }
  };
};

/// Attention, then the feed-forward layer, each after its norm.
///
/// shapes    x, y [N,W.width], cu_seqlens [sentences + 1]
/// source    Xiong et al. 2020, arXiv:2002.04745, figure 1 (b)
template <TransformerConfig W, class Act = act::Gelu> struct PreNormBlock {
  using Parts = Block<PreNorm<W, Attention<W>>,
                      PreNorm<W, FeedForward<W, Act>>>;  // no base: nvcc 13 cannot read TransformerConfig there
  static constexpr int in = Parts::in, out = Parts::out;
  static constexpr bool picks_rows = true, supports_deferred_join = true;
  template <class T> using Weights = typename Parts::template Weights<T>;
  template <Precision P, class D, Needs G> using Impl = typename Parts::template Impl<P, D, G>;
  static std::string describe() { return W.describe("PreNormBlock", Act::name); }
};

}  // namespace entrain::encode
