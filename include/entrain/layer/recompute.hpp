// core > device, precision > tensor > kernel > [layer]
//
// Trades time for memory: saves only a view of the input, and backward runs forward again.
#pragma once
#include <cstdint>

#include "entrain/core/contract.hpp"
#include "entrain/device/step.hpp"
#include "entrain/layer/contract.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::layer {

/// y = layer(x), with the same bits as Layer: a dropout mask is a function of its place, not of the time.
///
/// shapes    those of Layer
/// saves     a view of x, and which rows were picked; backward takes what Layer saves from scratch
/// source    Chen, Xu, Zhang, Guestrin 2016, "Training deep nets with sublinear memory cost", arXiv:1604.06174
template <class Layer> struct Recompute {
  static constexpr int in = Layer::in, out = Layer::out, reach = reach_of<Layer>;
  static constexpr bool trainable = entrain::trainable<Layer>, picks_rows = entrain::picks_rows<Layer>;
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
      const std::int32_t* rows = nullptr;  // of forward_rows
    };

    static Saved allocate_saved(Arena&, Shape) { return {}; }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                        Rows<A, out> y, Saved& saved) {
      const Scratch give_back{at.scratch};
      auto inner = Inner::allocate_saved(at.scratch, at.shape);
      Inner::forward(at, w, x, y, inner);
      saved.x = x;
    }
    /// Of a stack, which keeps the picked rows itself.
    static void forward_rows(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                             const std::int32_t* rows, Rows<A, out> y, Saved& saved) {
      const Scratch give_back{at.scratch};
      auto inner = Inner::allocate_saved(at.scratch, at.shape);
      Inner::forward_rows(at, w, x, rows, y, inner);
      saved = {x, rows};
    }
    /// Of a block.
    ///
    /// some      as the block's, but not saved
    static void forward_rows(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                             const std::int32_t* rows, Rows<A, out> some, Rows<A, out> y, Saved& saved) {
      const Scratch give_back{at.scratch};
      auto inner = Inner::allocate_saved(at.scratch, at.shape);
      Inner::forward_rows(at, w, x, rows, some, y, inner);
      saved = {x, rows};
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, out> dy, Rows<Grad, in> dx, Write how, const Weights<typename P::Sum>& g) {
      const Scratch give_back{at.scratch};
      auto inner = Inner::allocate_saved(at.scratch, at.shape);
      const auto y = take_rows<A, out>(at.scratch, at.shape.rows);
      Inner::forward(at, w, saved.x, y, inner);
      Inner::backward(at, w, inner, dy, dx, how, g);
    }
    static void backward_rows(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                              Rows<const Grad, out> dy, const std::int32_t* row_of, Rows<Grad, in> dx, Write how,
                              const Weights<typename P::Sum>& g) {
      const Scratch give_back{at.scratch};
      auto inner = Inner::allocate_saved(at.scratch, at.shape);
      const auto y = take_rows<A, out>(at.scratch, dy.n);
      if constexpr (requires { Inner::forward_rows(at, w, saved.x, saved.rows, y, inner); }) {
        Inner::forward_rows(at, w, saved.x, saved.rows, y, inner);
      } else {
        const auto some = take_rows<A, out>(at.scratch, dy.n);
        Inner::forward_rows(at, w, saved.x, saved.rows, some, y, inner);
      }
      Inner::backward_rows(at, w, inner, dy, row_of, dx, how, g);
    }
  };
};

}  // namespace entrain::layer
