// core > device, precision > tensor > kernel > [layer]
//
// A part that training does not change: no parameter gradients, no moments, no dropout. At the bottom of a model, where
// no part below needs a gradient, it stores nothing for backward either.
#pragma once
#include <cstdint>
#include <type_traits>

#include "entrain/core/contract.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::layer {

/// y = layer(x), as in evaluation; the same model folder as Layer
///
/// shapes    those of Layer
/// saves     what Layer saves for the gradient of its input; nothing if no part below needs that gradient
template <class Layer> struct Frozen {
  static constexpr int in = Layer::in, out = Layer::out, reach = reach_of<Layer>;
  static constexpr bool trainable = false, reads_input_later = false, picks_rows = entrain::picks_rows<Layer>;
  using Described = Layer;
  template <class T> struct Weights {
    typename Layer::template Weights<T> layer;
    /// Of a block in a stack: its place there (stack.hpp).
    constexpr void at_block([[maybe_unused]] int i) {
      if constexpr (requires { layer.at_block(i); }) layer.at_block(i);
    }
    static void each(auto&& f, auto& w) { f.frozen(w.layer); }
  };
  static void extents(auto& config) { Layer::extents(config); }

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Inner = entrain::Impl<Layer, P, D, Needs{false, G.input}>;
    struct Nothing {};
    using Saved = std::conditional_t<G.input, typename Inner::Saved, Nothing>;

    static Saved allocate_saved([[maybe_unused]] Arena& arena, [[maybe_unused]] Shape shape) {
      if constexpr (G.input) {
        return Inner::allocate_saved(arena, shape);
      } else {
        return {};
      }
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                        Rows<A, out> y, Saved& saved) {
      with_saved(at, saved, [&](auto& inner) { Inner::forward(at.evaluating(), w.layer, x, y, inner); });
    }
    static void forward_rows(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                             const std::int32_t* rows, Rows<A, out> y, Saved& saved) {
      with_saved(at, saved, [&](auto& inner) { Inner::forward_rows(at.evaluating(), w.layer, x, rows, y, inner); });
    }
    static void backward([[maybe_unused]] const Step<D>& at,
                         [[maybe_unused]] const Weights<const typename P::Weight>& w,
                         [[maybe_unused]] const Saved& saved, [[maybe_unused]] Rows<const Grad, out> dy,
                         [[maybe_unused]] Rows<Grad, in> dx, [[maybe_unused]] Write how,
                         [[maybe_unused]] const Weights<typename P::Sum>& g) {
      if constexpr (G.input) Inner::backward(at.evaluating(), w.layer, saved, dy, dx, how, g.layer);
    }
    static void backward_rows(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                              Rows<const Grad, out> dy, const std::int32_t* row_of, Rows<Grad, in> dx, Write how,
                              const Weights<typename P::Sum>& g) {
      static_assert(G.input);
      Inner::backward_rows(at.evaluating(), w.layer, saved, dy, row_of, dx, how, g.layer);
    }

   private:
    /// f(what the layer saves). It is kept if a gradient must pass through, else discarded at once.
    static void with_saved(const Step<D>& at, [[maybe_unused]] Saved& saved, auto&& f) {
      if constexpr (G.input) {
        f(saved);
      } else {
        const Scratch give_back{at.scratch};
        auto inner = Inner::allocate_saved(at.scratch, at.shape);
        f(inner);
      }
    }
  };
};

}  // namespace entrain::layer
