// text > batch > embed > [encode] > head > optim > checkpoint
//
// A stack of blocks whose results are not normalised, and the norm after it. In: vectors [N,C]. Out: vectors [N,C].
// Read modern_bert.hpp first.
#pragma once
#include <cstdint>

#include "entrain/core/contract.hpp"
#include "entrain/device/backward_parts.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::encode {

/// y = norm(stack(x))
///
/// Norm      a layer that computes each row from that row alone; its parameters are final_norm.X
/// shapes    x, y [N,C]
/// saves     what both save, and the vectors between them [N,C]
/// source    transformers' ModernBertModel
template <class Stack, class NormType> struct WithNorm {
  using Norm = NormType;
  static_assert(WidthsMeet<Stack::out, Norm::in>::value);
  static_assert(reach_of<Norm> == 0,
                "entrain: the second argument of encode::WithNorm must compute each row from that row alone, such as "
                "layer::NormWithoutBias.");
  static constexpr int in = Stack::in, out = Norm::out, C = Stack::out, reach = reach_of<Stack>;
  static constexpr bool trainable = entrain::trainable<Stack> || entrain::trainable<Norm>;
  static constexpr bool reads_input_later = entrain::reads_input_later<Stack>;
  static constexpr bool picks_rows = entrain::picks_rows<Stack>,
                        supports_deferred_join =
                            entrain::supports_deferred_join<Stack> && entrain::supports_deferred_join<Norm>;
  static void extents(auto& config) { Stack::extents(config); }

  template <class T> struct Weights {
    typename Stack::template Weights<T> stack;
    typename Norm::template Weights<T> norm;
    static void each(auto&& f, auto& w) {
      Stack::template Weights<T>::each(f, w.stack);  // at the same level, as transformers names them
      f.part("final_norm", w.norm);
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Below = entrain::Impl<Stack, P, D, G>;
    static constexpr bool handed_down = G.input || (G.params && entrain::trainable<Stack>);
    using Above = entrain::Impl<Norm, P, D, Needs{G.params, handed_down}>;
    struct Saved {
      typename Below::Saved stack;
      Rows<A, C> between;
      typename Above::Saved norm;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {Below::allocate_saved(arena, shape), take_rows<A, C>(arena, shape.rows),
              Above::allocate_saved(arena, shape)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                        Rows<A, out> y, Saved& saved) {
      saved.between.n = x.n;  // allocated for the largest batch, used for this one
      Below::forward(at.at(0), w.stack, x, saved.between, saved.stack);
      Above::forward(at.at(1), w.norm, Rows<const A, C>(saved.between), y, saved.norm);
    }
    static void forward_rows(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                             const std::int32_t* rows, Rows<A, out> y, Saved& saved) {
      saved.between.n = y.n;
      Below::forward_rows(at.at(0), w.stack, x, rows, saved.between, saved.stack);
      Above::forward(at.at(1).with_rows(y.n), w.norm, Rows<const A, C>(saved.between), y, saved.norm);
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, out> dy, Rows<Grad, in> dx, Write how, const Weights<typename P::Sum>& g) {
      const BackwardStep at(step);
      const auto between = take_rows<Grad, C>(at.scratch, handed_down ? at.shape.rows : 0);
      Above::backward(at.at(1), w.norm, saved.norm, dy, between, Write::assign, g.norm);
      if constexpr (handed_down)
        Below::backward(at.at(0), w.stack, saved.stack, Rows<const Grad, C>(between), dx, how, g.stack);
    }
    static void backward_rows(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                              Rows<const Grad, out> dy, const std::int32_t* row_of, Rows<Grad, in> dx, Write how,
                              const Weights<typename P::Sum>& g) {
      const BackwardStep at(step);
      const auto between = take_rows<Grad, C>(at.scratch, handed_down ? dy.n : 0);
      Above::backward(at.at(1).with_rows(dy.n), w.norm, saved.norm, dy, between, Write::assign, g.norm);
      if constexpr (handed_down)
        Below::backward_rows(at.at(0), w.stack, saved.stack, Rows<const Grad, C>(between), row_of, dx, how, g.stack);
    }
  };
};

}  // namespace entrain::encode
