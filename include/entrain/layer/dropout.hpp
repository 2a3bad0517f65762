// core > device, precision > tensor > kernel > [layer]
//
// Sets random values to 0 in training. The rate is a hyperparameter (Counters::dropout); the mask is never stored.
#pragma once
#include "entrain/device/step.hpp"
#include "entrain/kernel/dropout/contract.hpp"
#include "entrain/kernel/map/contract.hpp"  // copy, add
#include "entrain/layer/nothing.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::layer {

/// y = x * m while training (m = 0 with probability p, else 1 / (1 - p)), else y = x
///
/// shapes    x, y [N,C]
/// saves     nothing: backward computes the mask again from the counters and the place
/// source    Srivastava et al. 2014, JMLR 15, section 4, with the scaling at training time
template <int C> struct Dropout {
  static constexpr int in = C, out = C, reach = 0;
  template <class T> using Weights = NoWeights<T>;

  template <Precision P, class D, Needs G> struct Impl : SavesNothing {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>&, Rows<const A, C> x, Rows<A, C> y,
                        Saved&) {
      if (at.training) {
        kernel::dropout(at, x, y, Write::assign);
      } else {
        kernel::copy(at.dev, x, y);
      }
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>&, const Saved&,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<typename P::Sum>&) {
      if constexpr (G.input) {
        if (at.training) {
          kernel::dropout(at, dy, dx, how);
        } else if (how == Write::add) {
          kernel::add(at.dev, dy, dx);
        } else {
          kernel::copy(at.dev, dy, dx);
        }
      }
    }
  };
};

}  // namespace entrain::layer
