// text > batch > embed > [encode] > head > optim > checkpoint
//
// Each token through a product with gates, and a second product, without biases. The block adds norm and residual
// (modern_bert.hpp). In: vectors [N,C]. Out: vectors [N,C]. Read feed_forward.hpp first.
#pragma once
#include <string>

#include "entrain/core/activation.hpp"
#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/encode/modern_bert_config.hpp"
#include "entrain/kernel/dropout/contract.hpp"
#include "entrain/kernel/gated/contract.hpp"
#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::encode {

/// y[n] = W_o dropout(act(u) * v),   u and v the halves of W_i x[n]
///
/// shapes    x, y [N,C]; Wi [2I,C], Wo [C,I]
/// saves     u and v [N,2I], the gated values [N,I]; x is a view
/// source    Shazeer 2020, arXiv:2002.05202, section 2, GEGLU; names of transformers' ModernBertMLP
template <ModernBertConfig W, class Act = act::Gelu> struct GatedFeedForward {
  static constexpr int in = W.width, out = W.width, C = W.width, I = W.intermediate;
  static constexpr const char* norm_before = "mlp_norm.weight";
  static constexpr bool first_without_norm = false, drops_result = false;
  static std::string describe() { return W.describe("GatedFeedForward", Act::name); }

  template <class T> struct Weights {
    MatmulWeight<T, 2 * I, C> inner;
    MatmulWeight<T, C, I> outer;
    static void each(auto&& f, auto& w) {
      f("mlp.Wi.weight", w.inner, init::glorot_uniform);
      f("mlp.Wo.weight", w.outer, init::glorot_uniform);
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Sum = typename P::Sum;
    struct Saved {
      Rows<const A, C> x;
      Rows<A, 2 * I> halves;
      Rows<A, I> value;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {{}, take_rows<A, 2 * I>(arena, shape.rows), take_rows<A, I>(arena, shape.rows)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      saved.halves.n = saved.value.n = x.n;  // allocated for the most rows, used for this batch's
      kernel::gemm(at.dev, x, w.inner, saved.halves);
      kernel::gated_act<Act>(at.dev, Rows<const A, 2 * I>(saved.halves), saved.value);
      const Rows<const A, I> value = saved.value;
      if (at.training) kernel::dropout(at, value, saved.value, Write::assign);
      kernel::gemm(at.dev, value, w.outer, y);
      saved.x = x;
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<Sum>& g) {
      const BackwardStep at(step);
      const auto dvalue = take_rows<Grad, I>(at.scratch, at.shape.rows);
      const auto dhalves = take_rows<Grad, 2 * I>(at.scratch, at.shape.rows);
      if constexpr (G.params)
        at.side([&](const D& dev) { kernel::gemm_dw(dev, dy, Rows<const A, I>(saved.value), g.outer, at.grads); });
      kernel::gemm_dx(at.dev, dy, w.outer, dvalue, Write::assign);
      const Rows<const Grad, I> of_value = dvalue;
      if (at.training) kernel::dropout(at, of_value, dvalue, Write::assign);
      kernel::gated_act_back<Act>(at.dev, of_value, Rows<const A, 2 * I>(saved.halves), dhalves);
      const Rows<const Grad, 2 * I> slope = dhalves;
      if constexpr (G.params) at.side([&](const D& dev) { kernel::gemm_dw(dev, slope, saved.x, g.inner, at.grads); });
      if constexpr (G.input) kernel::gemm_dx(at.dev, slope, w.inner, dx, how);
    }
  };
};

}  // namespace entrain::encode
