// core > device, precision > tensor > kernel > [layer]
//
// A matrix product and an activation function. Read dense.hpp first.
#pragma once
#include <string>
#include <string_view>

#include "entrain/core/activation.hpp"
#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/activation/contract.hpp"  // act, act_back
#include "entrain/kernel/gemm/contract.hpp"        // gemm
#include "entrain/precision/policies.hpp"

namespace entrain::layer {

/// y[n,o] = act(sum_i x[n,i] weight[o,i])
///
/// Act       a function of core/activation.hpp
/// shapes    x [N,I], y [N,O]; weight [O,I]
/// saves     the slopes of act [N,O]; x is a view
template <int I, int O, class Act> struct DenseWithoutBias {
  static constexpr std::string_view name = "dense";
  static constexpr int in = I, out = O, reach = 0;
  static constexpr bool supports_deferred_join = true;
  static std::string describe() {
    return "DenseWithoutBias<" + std::to_string(I) + ", " + std::to_string(O) + ", " + std::string(Act::name) + ">";
  }

  template <class T> struct Weights {
    MatmulWeight<T, O, I> weight;
    static void each(auto&& f, auto& w) { f("weight", w.weight, init::glorot_uniform); }
  };

  template <Precision P, class D, Needs G> struct Impl {
    static_assert(sizeof(kernel::Activation<D>) > 0);  // a missing kernel is refused here
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    struct Saved {
      Rows<const A, I> x;
      Rows<A, O> slope;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) { return {{}, take_rows<A, O>(arena, shape.rows)}; }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, I> x, Rows<A, O> y,
                        Saved& saved) {
      saved.x = x;
      saved.slope.n = x.n;
      kernel::gemm(at.dev, x, w.weight, saved.slope);
      kernel::act<Act>(at.dev, saved.slope, y);
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, O> dy, Rows<Grad, I> dx, Write how, const Weights<typename P::Sum>& g) {
      const BackwardStep at(step);
      const auto d = take_rows<Grad, O>(at.scratch, dy.n);
      kernel::act_back(at.dev, dy, Rows<const A, O>(saved.slope), d);
      const Rows<const Grad, O> slope = d;
      if constexpr (G.params) at.side([&](const D& dev) { kernel::gemm_dw(dev, slope, saved.x, g.weight, at.grads); });
      if constexpr (G.input) kernel::gemm_dx(at.dev, slope, w.weight, dx, how);
    }
  };
};

}  // namespace entrain::layer
