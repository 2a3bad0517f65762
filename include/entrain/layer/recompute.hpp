// core > device, precision > tensor > kernel > [layer]
//
// Trades time for memory: saves only a view of the input, and backward runs forward again.
#pragma once
#include "entrain/core/contract.hpp"
#include "entrain/device/step.hpp"
#include "entrain/layer/contract.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::layer {

/// y = layer(x), with the same bits as Layer: a dropout mask is a function of its place, not of the time.
///
/// shapes    those of Layer
/// saves     a view of x; backward takes what Layer saves from scratch
/// source    Chen, Xu, Zhang, Guestrin 2016, "Training deep nets with sublinear memory cost", arXiv:1604.06174
template <class Layer> struct Recompute {
  static constexpr int in = Layer::in, out = Layer::out, reach = reach_of<Layer>;
  static constexpr bool trainable = entrain::trainable<Layer>;
  using Described = Layer;
  template <class T> using Weights = typename Layer::template Weights<T>;
  static void extents(auto& config) { Layer::extents(config); }

  template <Precision P, class D, Needs G> struct Impl {
    static_assert(contract<Layer, P, D>());
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Inner = entrain::Impl<Layer, P, D, G>;
    struct Saved {
      Rows<const A, in> x;
    };

    static Saved allocate_saved(Arena&, Shape) { return {}; }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                        Rows<A, out> y, Saved& saved) {
      const Scratch give_back{at.scratch};
      auto inner = Inner::allocate_saved(at.scratch, at.shape);
      Inner::forward(at, w, x, y, inner);
      saved.x = x;
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, out> dy, Rows<Grad, in> dx, Write how, const Weights<typename P::Sum>& g) {
      const Scratch give_back{at.scratch};
      auto inner = Inner::allocate_saved(at.scratch, at.shape);
      const auto y = take_rows<A, out>(at.scratch, at.shape.rows);
      Inner::forward(at, w, saved.x, y, inner);
      Inner::backward(at, w, inner, dy, dx, how, g);
    }
  };
};

}  // namespace entrain::layer
