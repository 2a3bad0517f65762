// text > batch > embed > [encode] > head > optim > checkpoint
//
// Each token through two products with a function between them. The block adds bias, residual and norm to the result.
// In: vectors [N,C]. Out: vectors [N,C].
#pragma once
#include <string>

#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/encode/transformer_config.hpp"
#include "entrain/kernel/activation/contract.hpp"
#include "entrain/kernel/bias/contract.hpp"
#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::encode {

/// y[n] = W_2 act(W_1 x[n] + b_1)
///
/// shapes    x, y [N,C]; intermediate.dense [I,C], output.dense [C,I]
/// saves     the function's values and, for a backward, the input of gemm_dact (aux: the function's input or its slope)
///           [N,I] each; x is a view
/// source    Vaswani et al. 2017, arXiv:1706.03762, section 3.3; names of Hugging Face's BERT
template <TransformerConfig W, class Act = act::Gelu> struct FeedForward {
  static constexpr int in = W.width, out = W.width, C = W.width, I = W.intermediate;
  static constexpr const char* norm_before[2]{"intermediate.LayerNorm.weight", "intermediate.LayerNorm.bias"};
  static std::string describe() { return W.describe("FeedForward", Act::name); }

  template <class T> struct Weights {
    MatmulWeight<T, I, C> inner;
    Weight<T, 1, I> inner_bias;
    MatmulWeight<T, C, I> outer;
    static void each(auto&& f, auto& w) {
      f("intermediate.dense.weight", w.inner, init::glorot_uniform);
      f("intermediate.dense.bias", w.inner_bias, init::zeros);
      f("output.dense.weight", w.outer, init::glorot_uniform);
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Sum = typename P::Sum;
    struct Saved {
      Rows<const A, C> x;
      Rows<A, I> aux, value;
    };
    static constexpr bool forgets = !G.params && !G.input;  // no backward pass follows
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {{}, take_rows<A, I>(arena, forgets ? 0 : shape.rows), take_rows<A, I>(arena, shape.rows)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      saved.aux.n = saved.value.n = x.n;  // allocated for the most rows, used for this batch's
      if constexpr (forgets) {
        kernel::gemm_bias_act<Act>(at.dev, x, w.inner, w.inner_bias, saved.value);
      } else {
        kernel::gemm_bias_act<Act>(at.dev, x, w.inner, w.inner_bias, saved.aux, saved.value);
      }
      kernel::gemm(at.dev, Rows<const A, I>(saved.value), w.outer, y);
      saved.x = x;
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<Sum>& g) {
      const BackwardStep at(step);
      const auto dinput = take_rows<Grad, I>(at.scratch, at.shape.rows);
      if constexpr (G.params)
        at.side([&](const D& dev) { kernel::gemm_dw(dev, dy, Rows<const A, I>(saved.value), g.outer, at.grads); });
      const Rows<const A, I> aux = saved.aux;
      const Rows<const Grad, I> slope = dinput;
      if constexpr (!G.params) {
        kernel::gemm_dact<Act>(at.dev, dy, w.outer, aux, dinput);
      } else if constexpr (kernel::fuses_sums<Act, D, A>) {
        const auto parts = kernel::take_parts<Sum, I>(at.scratch, at.shape.rows);
        kernel::gemm_dact<Act>(at.dev, dy, w.outer, aux, dinput, parts);
        kernel::sum_parts(at, Rows<const Sum, I>(parts), g.inner_bias);
        at.side([&](const D& dev) { kernel::gemm_dw(dev, slope, saved.x, g.inner, at.grads); });
      } else {
        kernel::gemm_dact<Act>(at.dev, dy, w.outer, aux, dinput);
        at.side([&](const D& dev) {
          kernel::sum_rows(dev, slope, g.inner_bias, at.grads);
          kernel::gemm_dw(dev, slope, saved.x, g.inner, at.grads);
        });
      }
      if constexpr (G.input) kernel::gemm_dx(at.dev, slope, w.inner, dx, how);
    }
  };
};

}  // namespace entrain::encode
