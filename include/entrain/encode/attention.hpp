// text > batch > embed > [encode] > head > optim > checkpoint
//
// A token attends to all tokens of its sentence, or to those in a window: products, attention, a product. The block
// adds bias, residual and norm to the result. In: vectors [N,C] and cu_seqlens. Out: vectors [N,C]. Read
// kernel/attention/contract.hpp first.
#pragma once
#include <cmath>
#include <string>

#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/encode/transformer_config.hpp"
#include "entrain/kernel/attention/contract.hpp"
#include "entrain/kernel/bias/contract.hpp"  // gemm_bias
#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::encode {

/// y = W_o attention(q, k, v),   q = W_q x + b_q, k = W_k x + b_k, v = W_v x + b_v, each in H heads of d = C / H
/// channels attention(q, k, v)[n] = sum_m softmax_m(q[n] k[m] / sqrt(d)) v[m], m over the sentence of n, or within
/// W.window
///
/// shapes    x, y [N,C]; query, key, value, output.dense [C,C]
/// saves     query, key and value [N,3C], the attention's result [N,C], its norms [N,H]; x is a view. Probabilities are
///           not saved
/// requires  C a multiple of H and of 16; W.window even, or 0
/// source    Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2; names of Hugging Face's BERT
template <TransformerConfig W> struct Attention {
  static constexpr int in = W.width, out = W.width, C = W.width, H = W.heads;
  static constexpr const char* norm_before[2]{"LayerNorm.weight", "LayerNorm.bias"};  // the names of a norm before it
  static std::string describe() { return W.describe("Attention"); }
  static_assert(
      C % H == 0,
      "entrain: the width of a transformer must be a multiple of its number of heads; see TransformerConfig.");
  static_assert(W.window >= 0 && W.window % 2 == 0,
                "entrain: the attention window must be even, half of it on each side, or 0 for whole sentences; see "
                "TransformerConfig.");
  static_assert(C % 16 == 0, "entrain: the width of a transformer must be a multiple of 16; see TransformerConfig.");

  template <class T> struct Weights {
    MatmulWeight<T, C, C> query, key, value;
    Weight<T, 1, C> query_bias, key_bias, value_bias;
    MatmulWeight<T, C, C> dense;
    static void each(auto&& f, auto& w) {
      f("self.query.weight", w.query, init::glorot_uniform);
      f("self.key.weight", w.key, init::glorot_uniform);
      f("self.value.weight", w.value, init::glorot_uniform);
      f("self.query.bias", w.query_bias, init::zeros);
      f("self.key.bias", w.key_bias, init::zeros);
      f("self.value.bias", w.value_bias, init::zeros);
      f("output.dense.weight", w.dense, init::glorot_uniform);
    }
    /// The three as one matrix: the layout has no gap between them, because C is a multiple of 16.
    Weight<T, 3 * C, C, 3> all() const { return {query.data, 0, query.copy}; }
    Weight<T, 1, 3 * C> all_bias() const { return {query_bias.data}; }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Sum = typename P::Sum;
    struct Saved {
      Rows<const A, C> x;
      Rows<A, 3 * C> qkv;
      Rows<Sum, H> lse;
      Rows<A, C> context;
    };
    static double scale() { return 1 / std::sqrt(static_cast<double>(W.head_width())); }

    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {{},
              take_rows<A, 3 * C>(arena, shape.rows),
              take_rows<Sum, H>(arena, shape.rows),
              take_rows<A, C>(arena, shape.rows)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      saved.qkv.n = saved.context.n = x.n;  // allocated for the most rows, used for this batch's
      kernel::gemm_bias(at.dev, x, w.all(), w.all_bias(), saved.qkv);
      kernel::attention<W.window>(at, Rows<const A, 3 * C>(saved.qkv), scale(), saved.lse, saved.context);
      kernel::gemm(at.dev, Rows<const A, C>(saved.context), w.dense, y);
      saved.x = x;
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<Sum>& g) {
      const BackwardStep at(step);
      const auto dcontext = take_rows<Grad, C>(at.scratch, at.shape.rows);
      const auto dqkv = take_rows<Grad, 3 * C>(at.scratch, at.shape.rows);
      const Rows<const A, C> context = saved.context;
      if constexpr (G.params) at.side([&](const D& dev) { kernel::gemm_dw(dev, dy, context, g.dense, at.grads); });
      kernel::gemm_dx(at.dev, dy, w.dense, dcontext, Write::assign);
      const Rows<const A, 3 * C> qkv = saved.qkv;
      const Rows<const Sum, H> lse = saved.lse;
      const Rows<const Grad, C> of_context = dcontext;
      const Rows<const Grad, 3 * C> slope = dqkv;
      if constexpr (G.params) {
        kernel::attention_gradients<W.window>(at, of_context, qkv, scale(), lse, context, dqkv, g.all_bias());
        at.side([&](const D& dev) { kernel::gemm_dw(dev, slope, saved.x, g.all(), at.grads); });
      } else {
        kernel::attention_back<W.window>(at, of_context, qkv, scale(), lse, context, dqkv);
      }
      if constexpr (G.input) kernel::gemm_dx(at.dev, slope, w.all(), dx, how);
    }
  };
};

}  // namespace entrain::encode
