// core > device, precision > tensor > kernel > [layer]
//
// A layer that passes its rows on: the encoder of a model that has none.
#pragma once
#include "entrain/device/step.hpp"
#include "entrain/kernel/map/contract.hpp"  // copy, add
#include "entrain/layer/nothing.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::layer {

/// y = x
///
/// shapes    x, y [N,C]
/// saves     nothing
template <int C> struct Identity {
  static constexpr int in = C, out = C, reach = 0;
  static constexpr bool trainable = false, passes_rows_on = true;
  template <class T> using Weights = NoWeights<T>;

  template <Precision P, class D, Needs G> struct Impl : SavesNothing {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>&, Rows<const A, C> x, Rows<A, C> y,
                        Saved&) {
      kernel::copy(at.dev, x, y);
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>&, const Saved&,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<typename P::Sum>&) {
      if constexpr (G.input) {
        if (how == Write::add) {
          kernel::add(at.dev, dy, dx);
        } else {
          kernel::copy(at.dev, dy, dx);
        }
      }
    }
  };
};

}  // namespace entrain::layer
