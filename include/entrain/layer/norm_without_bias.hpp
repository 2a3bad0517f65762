// core > device, precision > tensor > kernel > [layer]
//
// Normalises every token's channels to mean 0 and variance 1, then scales them; there is no shift. Read layer_norm.hpp
// first.
#pragma once
#include <string>
#include <string_view>

#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/layer_norm/contract.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/report/number.hpp"

namespace entrain::layer {

/// As torch's LayerNorm(width, eps, bias=False).
struct NormConfig {
  int width = 768;
  double eps = 1e-5;
  friend constexpr bool operator==(const NormConfig&, const NormConfig&) = default;
};

/// y[n,c] = (x[n,c] - mean_n) / sqrt(var_n + eps) * gain[c]
///
/// shapes    x, y [N,C]; gain (named weight) [C]
/// saves     mean and rstd [N,2]; x is a view
/// source    Ba, Kiros, Hinton 2016, arXiv:1607.06450, section 3, without the bias
template <NormConfig W> struct NormWithoutBias {
  static constexpr std::string_view name = "norm";
  static constexpr int in = W.width, out = W.width, C = W.width, reach = 0;
  static constexpr bool supports_deferred_join = true;
  static std::string describe() {
    return "NormWithoutBias<" + std::to_string(C) + ", " + std::string(report::Short("%g", W.eps)) + ">";
  }

  template <class T> struct Weights {
    Weight<MasterOf<T>, 1, C> gain;
    static void each(auto&& f, auto& w) { f("weight", w.gain, init::ones); }
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
      kernel::layer_norm(at.dev, x, w.gain, Weight<const Sum, 1, C>(), W.eps, saved.stat, y);
      saved.x = x;
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<Sum>& g) {
      const BackwardStep at(step);
      const Rows<const Sum, 2> stat = saved.stat;
      if constexpr (G.params)
        at.side([&](const D& dev) {
          kernel::layer_norm_params(dev, dy, saved.x, stat, g.gain, Weight<Sum, 1, C>(), at.grads);
        });
      if constexpr (G.input) kernel::layer_norm_back(at.dev, dy, saved.x, stat, w.gain, dx, how);
    }
  };
};

}  // namespace entrain::layer
