// text > batch > embed > [encode] > head > optim > checkpoint
//
// A token looks at all tokens of its sentence. The sublayer of a post-norm block: attention, projection, residual,
// norm. In: vectors [N,C] and cu_seqlens. Out: vectors [N,C]. Read kernel/attention/contract.hpp first.
#pragma once
#include <cmath>
#include <string>
#include <string_view>

#include "entrain/device/step.hpp"
#include "entrain/encode/width.hpp"
#include "entrain/kernel/attention/contract.hpp"
#include "entrain/kernel/bias/contract.hpp"
#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/kernel/layer_norm/contract.hpp"
#include "entrain/kernel/map/contract.hpp"
#include "entrain/kernel/residual_norm/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::encode {

/// y = norm(x + dropout(W_o attention(W_q x + b_q, W_k x + b_k, W_v x + b_v) + b_o))
///
/// shapes    x, y [N,C]; query, key, value, output.dense [C,C]
/// saves     query, key and value [N,3C], the attention's result [N,C], its norms [N,H], the sum before the norm [N,C]
///           and its statistics [N,2]; x is a view. Probabilities are not kept
/// source    Vaswani et al. 2017, arXiv:1706.03762, section 3; names of Hugging Face's BERT
template <Width W> struct AttentionNorm {
  static constexpr std::string_view name = "attention";
  static constexpr int in = W.width, out = W.width, C = W.width, H = W.heads;
  static std::string describe() { return W.describe("AttentionNorm"); }
  static_assert(C % H == 0, "entrain: the width of a transformer is a multiple of its heads; see Width.");
  static_assert(C % 16 == 0, "entrain: the width of a transformer is a multiple of 16; see Width.");

  template <class T> struct Weights {
    Weight<T, C, C> query, key, value;
    Weight<T, 1, C> query_bias, key_bias, value_bias;
    Weight<T, C, C> dense;
    Weight<T, 1, C> bias, gain, shift;
    static void each(auto&& f, auto& w) {
      f("self.query.weight", w.query);
      f("self.key.weight", w.key);
      f("self.value.weight", w.value);
      f("self.query.bias", w.query_bias);
      f("self.key.bias", w.key_bias);
      f("self.value.bias", w.value_bias);
      f("output.dense.weight", w.dense);
      f("output.dense.bias", w.bias);
      f("output.LayerNorm.weight", w.gain);
      f("output.LayerNorm.bias", w.shift);
    }
    /// The three side by side: the walk lays them out without a gap, as C is a multiple of 16.
    Weight<T, 3 * C, C> all() const { return {query.data}; }
    Weight<T, 1, 3 * C> all_bias() const { return {query_bias.data}; }
  };

  template <Precision P, class D, Needs G> struct On {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Sum = typename P::Sum;
    struct Saved {
      Rows<const A, C> x;
      Rows<A, 3 * C> qkv;
      Rows<Sum, H> lse;
      Rows<A, C> context, sum;
      Rows<Sum, 2> stat;
    };
    static double scale() { return 1 / std::sqrt(static_cast<double>(W.head_width())); }

    static Saved keep(Arena& arena, Shape shape) {
      return {{},
              take_rows<A, 3 * C>(arena, shape.rows),
              take_rows<Sum, H>(arena, shape.rows),
              take_rows<A, C>(arena, shape.rows),
              take_rows<A, C>(arena, shape.rows),
              take_rows<Sum, 2>(arena, shape.rows)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      const Scratch give_back{at.scratch};
      const auto f = take_rows<A, C>(at.scratch, at.shape.rows);
      saved.qkv.n = saved.context.n = x.n;  // kept for the most rows, used for this batch's
      kernel::gemm(at.dev, x, w.all(), saved.qkv);
      kernel::add_bias(at.dev, w.all_bias(), saved.qkv);
      kernel::attention(at.at(0), Rows<const A, 3 * C>(saved.qkv), scale(), saved.lse, saved.context);
      kernel::gemm(at.dev, Rows<const A, C>(saved.context), w.dense, f);
      kernel::bias_dropout_add_norm(at.at(1), Rows<const A, C>(f), w.bias, x, w.gain, w.shift, W.eps, saved.sum,
                                    saved.stat, y);
      saved.x = x;
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<Sum>& g) {
      const Scratch give_back{at.scratch};
      const auto df = take_rows<Grad, C>(at.scratch, at.shape.rows);
      const auto dcontext = take_rows<Grad, C>(at.scratch, at.shape.rows);
      const auto dqkv = take_rows<Grad, 3 * C>(at.scratch, at.shape.rows);
      // The residual's gradient lands where the input's is wanted; the products add to it.
      const auto dsum = how == Write::assign && G.input ? dx : take_rows<Grad, C>(at.scratch, at.shape.rows);
      const Rows<const A, C> context = saved.context, sum = saved.sum;
      const Rows<const Sum, 2> stat = saved.stat;
      kernel::bias_dropout_add_norm_back(at.at(1), dy, sum, stat, w.gain, dsum, df);
      kernel::gemm_dx(at.dev, Rows<const Grad, C>(df), w.dense, dcontext, Write::assign);
      kernel::attention_back(at.at(0), Rows<const Grad, C>(dcontext), Rows<const A, 3 * C>(saved.qkv), scale(),
                             Rows<const Sum, H>(saved.lse), context, dqkv);
      const Rows<const Grad, 3 * C> slope = dqkv;
      if constexpr (G.params) {
        kernel::layer_norm_params(at.dev, dy, sum, stat, g.gain, g.shift, at.grads);
        kernel::sum_rows(at.dev, Rows<const Grad, C>(df), g.bias, at.grads);
        kernel::gemm_dw(at.dev, Rows<const Grad, C>(df), context, g.dense, at.grads);
        kernel::sum_rows(at.dev, slope, g.all_bias(), at.grads);
        kernel::gemm_dw(at.dev, slope, saved.x, g.all(), at.grads);
      }
      if constexpr (G.input) {
        kernel::gemm_dx(at.dev, slope, w.all(), dsum, Write::add);
        if (how == Write::add) kernel::add(at.dev, Rows<const Grad, C>(dsum), dx);
      }
    }
  };
};

}  // namespace entrain::encode
