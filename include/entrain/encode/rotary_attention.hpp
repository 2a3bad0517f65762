// text > batch > embed > [encode] > head > optim > checkpoint
//
// Attention with rotary positions and without biases. Blocks of a stack are by turns global and local. The block adds
// norm and residual (modern_bert.hpp). In: vectors [N,C] and cu_seqlens. Out: vectors [N,C]. Read attention.hpp first.
#pragma once
#include <cmath>
#include <string>

#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/encode/modern_bert_config.hpp"
#include "entrain/kernel/attention/contract.hpp"
#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/kernel/rotary/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::encode {

/// y = W_o attention(R q, R k, v),   q, k, v the thirds of W_qkv x, each in H heads of d = C / H channels; R turns the
/// pairs of channels of row n by its place in the sentence (kernel::rotary);
/// attention(q, k, v)[n] = sum_m softmax_m(q[n] k[m] / sqrt(d)) v[m], m over the sentence of n in a global block, else
/// within the window W.local_attention
///
/// shapes    x, y [N,C]; Wqkv [3C,C], Wo [C,C]
/// saves     query and key after R, and value [N,3C], the attention's result [N,C], its norms [N,H]; x is a view
/// requires  C a multiple of H and of 16, d even, W.local_attention even
/// source    Warner et al. 2024, "ModernBERT", arXiv:2412.13663, section 2.1; Su et al. 2021, arXiv:2104.09864; names
///           of transformers' ModernBertAttention
template <ModernBertConfig W> struct RotaryAttention {
  static constexpr int in = W.width, out = W.width, C = W.width, H = W.heads;
  static constexpr const char* norm_before = "attn_norm.weight";  // the name of the norm before it
  static constexpr bool first_without_norm = true, drops_result = true;
  static std::string describe() { return W.describe("RotaryAttention"); }
  static_assert(C % H == 0,
                "entrain: the width of a transformer must be a multiple of its number of heads; see ModernBertConfig.");
  static_assert(W.local_attention > 0 && W.local_attention % 2 == 0,
                "entrain: local_attention must be even and above 0, half of it on each side; see ModernBertConfig.");
  static_assert(W.global_attn_every_n_layers > 0,
                "entrain: global_attn_every_n_layers must be at least 1, where every block is global; see "
                "ModernBertConfig.");
  static_assert(C % 16 == 0, "entrain: the width of a transformer must be a multiple of 16; see ModernBertConfig.");
  static_assert(W.global_rope_theta > 0 && W.local_rope_theta > 0,
                "entrain: the bases of rotary frequencies must be above 0; see ModernBertConfig.");

  template <class T> struct Weights {
    MatmulWeight<T, 3 * C, C> qkv;
    MatmulWeight<T, C, C> dense;
    int block = 0;  // its place in the stack
    constexpr void at_block(int i) { block = i; }
    static void each(auto&& f, auto& w) {
      f("attn.Wqkv.weight", w.qkv, init::glorot_uniform);
      f("attn.Wo.weight", w.dense, init::glorot_uniform);
      f.unused(w.block);
    }
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
    static double theta(int block) { return W.is_global(block) ? W.global_rope_theta : W.local_rope_theta; }

    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {{},
              take_rows<A, 3 * C>(arena, shape.rows),
              take_rows<Sum, H>(arena, shape.rows),
              take_rows<A, C>(arena, shape.rows)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      saved.qkv.n = saved.context.n = x.n;  // allocated for the most rows, used for this batch's
      kernel::gemm(at.dev, x, w.qkv, saved.qkv);
      kernel::rotary<H>(at, theta(w.block), saved.qkv);
      const Rows<const A, 3 * C> qkv = saved.qkv;
      if (W.is_global(w.block)) {
        kernel::attention<0>(at, qkv, scale(), saved.lse, saved.context);
      } else {
        kernel::attention<W.local_attention>(at, qkv, scale(), saved.lse, saved.context);
      }
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
      if (W.is_global(w.block)) {
        kernel::attention_back<0>(at, of_context, qkv, scale(), lse, context, dqkv);
      } else {
        kernel::attention_back<W.local_attention>(at, of_context, qkv, scale(), lse, context, dqkv);
      }
      kernel::rotary_back<H>(at, theta(w.block), dqkv);
      const Rows<const Grad, 3 * C> slope = dqkv;
      if constexpr (G.params) at.side([&](const D& dev) { kernel::gemm_dw(dev, slope, saved.x, g.qkv, at.grads); });
      if constexpr (G.input) kernel::gemm_dx(at.dev, slope, w.qkv, dx, how);
    }
  };
};

}  // namespace entrain::encode
