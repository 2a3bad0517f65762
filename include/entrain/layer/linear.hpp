// core > device, precision > tensor > kernel > [layer]
//
// A matrix product and a bias.
#pragma once
#include <string_view>

#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/bias/contract.hpp"  // gemm_bias, sum_rows
#include "entrain/kernel/gemm/contract.hpp"  // gemm_dx, gemm_dw
#include "entrain/precision/policies.hpp"

namespace entrain::layer {

/// The adjoint of y = weight x + bias, from the gradient d of y: those of the weights, then dx.
template <Needs G, class D>
void linear_back(const BackwardStep<D>& at, auto d, auto x, const auto& w, auto dx, Write how, const auto& g) {
  if constexpr (G.params)
    at.side([&](const D& dev) {
      kernel::gemm_dw(dev, d, x, g.weight, at.grads);
      kernel::sum_rows(dev, d, g.bias, at.grads);
    });
  if constexpr (G.input) kernel::gemm_dx(at.dev, d, w.weight, dx, how);
}

/// y[n,o] = sum_i x[n,i] weight[o,i] + bias[o]
///
/// shapes    x [N,I], y [N,O]; weight [O,I], bias [O]        saves     nothing: x is a view
template <int I, int O> struct Linear {
  static constexpr std::string_view name = "linear";
  static constexpr int in = I, out = O, reach = 0;

  template <class T> struct Weights {
    Weight<T, O, I> weight;
    Weight<T, 1, O> bias;
    static void each(auto&& f, auto& w) {
      f("weight", w.weight, init::glorot_uniform);
      f("bias", w.bias, init::zeros);
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    struct Saved {
      Rows<const A, I> x;
    };
    static Saved allocate_saved(Arena&, Shape) { return {}; }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, I> x, Rows<A, O> y,
                        Saved& saved) {
      kernel::gemm_bias(at.dev, x, w.weight, w.bias, y);
      saved.x = x;
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, O> dy, Rows<Grad, I> dx, Write how, const Weights<typename P::Sum>& g) {
      linear_back<G>(BackwardStep(step), dy, saved.x, w, dx, how, g);
    }
  };
};

}  // namespace entrain::layer
