// core > device, precision > tensor > kernel > [layer]
//
// Normalises every token's channels to mean 0 and variance 1, then scales and shifts them.
#pragma once
#include <string_view>

#include "entrain/device/step.hpp"
#include "entrain/kernel/layer_norm/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::layer {

/// y[n,c] = (x[n,c] - mean_n) / sqrt(var_n + eps) * gain[c] + shift[c]
///
/// shapes    x, y [N,C]; gain (named weight) and shift (named bias) [C]
/// saves     mean and rstd [N,2]; x is a view
/// source    Ba, Kiros, Hinton 2016, arXiv:1607.06450, section 3
template <int C> struct LayerNorm {
  static constexpr std::string_view name = "layer_norm";
  static constexpr int in = C, out = C, reach = 0;
  static constexpr double eps = 1e-8;

  template <class T> struct Weights {
    Weight<MasterOf<T>, 1, C> gain;
    Weight<MasterOf<T>, 1, C> shift;
    static void each(auto&& f, auto& w) {
      f("weight", w.gain, init::ones);
      f("bias", w.shift, init::zeros);
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Sum = typename P::Sum;
    struct Saved {
      Rows<const A, C> x;
      Rows<Sum, 2> stat;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) { return {{}, take_rows<Sum, 2>(arena, shape.rows)}; }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      kernel::layer_norm(at.dev, x, w.gain, w.shift, eps, saved.stat, y);
      saved.x = x;
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<Sum>& g) {
      const Rows<const Sum, 2> stat = saved.stat;
      if constexpr (G.params) kernel::layer_norm_params(at.dev, dy, saved.x, stat, g.gain, g.shift, at.grads);
      if constexpr (G.input) kernel::layer_norm_back(at.dev, dy, saved.x, stat, w.gain, dx, how);
    }
  };
};

}  // namespace entrain::layer
