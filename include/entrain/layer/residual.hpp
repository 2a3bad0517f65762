// core > device, precision > tensor > kernel > [layer]
//
// A residual connection: the layer's output is added to its input.
#pragma once
#include "entrain/device/step.hpp"
#include "entrain/kernel/map/contract.hpp"  // copy, add
#include "entrain/layer/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::layer {

/// y = x + layer(x)
///
/// shapes    x, y [N,C]
/// requires  Layer::in == Layer::out
/// saves     what the layer saves
/// source    He, Zhang, Ren, Sun 2016, arXiv:1512.03385, section 3.1
template <class Layer> struct Residual {
  static_assert(WidthsMeet<Layer::out, Layer::in>::value);
  static constexpr int in = Layer::in, out = Layer::out, reach = reach_of<Layer>;
  template <class T> using Weights = typename Layer::template Weights<T>;

  template <Precision P, class D, Needs G> struct Impl {
    static_assert(contract<Layer, P, D>());
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Inner = entrain::Impl<Layer, P, D, G>;
    using Saved = typename Inner::Saved;
    static Saved allocate_saved(Arena& arena, Shape shape) { return Inner::allocate_saved(arena, shape); }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                        Rows<A, out> y, Saved& saved) {
      Inner::forward(at, w, x, y, saved);
      kernel::add(at.dev, x, y);
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, out> dy, Rows<Grad, in> dx, Write how, const Weights<typename P::Sum>& g) {
      if constexpr (G.input) {
        if (how == Write::add) {
          kernel::add(at.dev, dy, dx);
        } else {
          kernel::copy(at.dev, dy, dx);
        }
      }
      Inner::backward(at, w, saved, dy, dx, Write::add, g);
    }
  };
};

}  // namespace entrain::layer
