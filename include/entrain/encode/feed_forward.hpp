// text > batch > embed > [encode] > head > optim > checkpoint
//
// Every token through two products and a function between them. The other sublayer of a post-norm block.
// In: vectors [N,C]. Out: vectors [N,C]. Read encode/attention.hpp first.
#pragma once
#include <string>
#include <string_view>

#include "entrain/device/step.hpp"
#include "entrain/encode/width.hpp"
#include "entrain/kernel/activation/contract.hpp"
#include "entrain/kernel/bias/contract.hpp"
#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/kernel/layer_norm/contract.hpp"
#include "entrain/kernel/map/contract.hpp"
#include "entrain/kernel/residual_norm/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::encode {

/// y = norm(x + dropout(W_2 act(W_1 x + b_1) + b_2))
///
/// shapes    x, y [N,C]; intermediate.dense [I,C], output.dense [C,I]
/// saves     the numbers before and behind the function [N,I] each, the sum before the norm [N,C], its statistics
/// [N,2];
///           x is a view
/// source    Vaswani et al. 2017, arXiv:1706.03762, section 3.3; names of Hugging Face's BERT
template <Width W, class Act = act::Gelu> struct FeedForwardNorm {
  static constexpr std::string_view name = "feed_forward";
  static constexpr int in = W.width, out = W.width, C = W.width, I = W.intermediate;
  static std::string describe() { return W.describe("FeedForwardNorm", Act::name); }

  template <class T> struct Weights {
    Weight<T, I, C> inner;
    Weight<T, 1, I> inner_bias;
    Weight<T, C, I> outer;
    Weight<T, 1, C> bias, gain, shift;
    static void each(auto&& f, auto& w) {
      f("intermediate.dense.weight", w.inner);
      f("intermediate.dense.bias", w.inner_bias);
      f("output.dense.weight", w.outer);
      f("output.dense.bias", w.bias);
      f("output.LayerNorm.weight", w.gain);
      f("output.LayerNorm.bias", w.shift);
    }
  };

  template <Precision P, class D, Needs G> struct On {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Sum = typename P::Sum;
    struct Saved {
      Rows<const A, C> x;
      Rows<A, I> before, behind;
      Rows<A, C> sum;
      Rows<Sum, 2> stat;
    };
    static Saved keep(Arena& arena, Shape shape) {
      return {{},
              take_rows<A, I>(arena, shape.rows),
              take_rows<A, I>(arena, shape.rows),
              take_rows<A, C>(arena, shape.rows),
              take_rows<Sum, 2>(arena, shape.rows)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      const Scratch give_back{at.scratch};
      const auto f = take_rows<A, C>(at.scratch, at.shape.rows);
      saved.before.n = saved.behind.n = x.n;  // kept for the most rows, used for this batch's
      kernel::gemm(at.dev, x, w.inner, saved.before);
      kernel::bias_act<Act>(at.dev, w.inner_bias, saved.before, saved.behind);
      kernel::gemm(at.dev, Rows<const A, I>(saved.behind), w.outer, f);
      kernel::bias_dropout_add_norm(at, Rows<const A, C>(f), w.bias, x, w.gain, w.shift, W.eps, saved.sum, saved.stat,
                                    y);
      saved.x = x;
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<Sum>& g) {
      const Scratch give_back{at.scratch};
      const auto df = take_rows<Grad, C>(at.scratch, at.shape.rows);
      const auto dinner = take_rows<Grad, I>(at.scratch, at.shape.rows);
      const auto dsum = how == Write::assign && G.input ? dx : take_rows<Grad, C>(at.scratch, at.shape.rows);
      const Rows<const A, C> sum = saved.sum;
      const Rows<const Sum, 2> stat = saved.stat;
      kernel::bias_dropout_add_norm_back(at, dy, sum, stat, w.gain, dsum, df);
      const Rows<const Grad, C> df_read = df;
      kernel::gemm_dx(at.dev, df_read, w.outer, dinner, Write::assign);
      kernel::act_back<Act>(at.dev, Rows<const Grad, I>(dinner), Rows<const A, I>(saved.before), dinner);
      const Rows<const Grad, I> slope = dinner;
      if constexpr (G.params) {
        kernel::layer_norm_params(at.dev, dy, sum, stat, g.gain, g.shift, at.grads);
        kernel::sum_rows(at.dev, df_read, g.bias, at.grads);
        kernel::gemm_dw(at.dev, df_read, Rows<const A, I>(saved.behind), g.outer, at.grads);
        kernel::sum_rows(at.dev, slope, g.inner_bias, at.grads);
        kernel::gemm_dw(at.dev, slope, saved.x, g.inner, at.grads);
      }
      if constexpr (G.input) {
        kernel::gemm_dx(at.dev, slope, w.inner, dsum, Write::add);
        if (how == Write::add) kernel::add(at.dev, Rows<const Grad, C>(dsum), dx);
      }
    }
  };
};

}  // namespace entrain::encode
