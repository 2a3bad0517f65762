// text > batch > embed > [encode] > head > optim > checkpoint
//
// Vectors in context by window convolutions: each layer extends a token's context by one neighbour to each side.
// In: vectors [N,C] and Geometry::neighbours. Out: vectors [N,C], now in context. Read layer/maxout.hpp first.
#pragma once
#include <string_view>

#include "entrain/kernel/window/contract.hpp"
#include "entrain/layer/dropout.hpp"
#include "entrain/layer/layer_norm.hpp"
#include "entrain/layer/maxout.hpp"
#include "entrain/layer/nothing.hpp"
#include "entrain/layer/residual.hpp"
#include "entrain/layer/sequence.hpp"
#include "entrain/layer/stack.hpp"

namespace entrain::encode {

/// y[n] = x[n-R] ... x[n+R] concatenated, zero outside the sentence
///
/// shapes    x [N,C], y [N,(2R+1)C]
/// saves     nothing
/// source    Collobert et al. 2011, JMLR 12, section 3, the window approach; spaCy's expand_window
template <int C, int R = 1> struct Window {
  static constexpr std::string_view name = "window";
  static constexpr int in = C, out = (2 * R + 1) * C, reach = R;
  template <class T> using Weights = layer::NoWeights<T>;

  template <Precision P, class D, Needs G> struct Impl : layer::SavesNothing {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>&, Rows<const A, in> x,
                        Rows<A, out> y, Saved&) {
      kernel::window<R>(at, x, y);
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>&, const Saved&,
                         Rows<const Grad, out> dy, Rows<Grad, in> dx, Write how, const Weights<typename P::Sum>&) {
      if constexpr (G.input) kernel::window_back<R>(at, dy, dx, how);
    }
  };
};

/// Depth blocks of y = x + dropout(norm(maxout(window(x)))).
///
/// A token sees Depth * R neighbours to each side.
///
/// shapes    x, y [N,C]
/// source    spaCy's MaxoutWindowEncoder
template <int C, int Depth, int R = 1, int Pieces = 3> using MaxoutWindow =
    layer::Stack<Depth, layer::Residual<layer::Sequence<Window<C, R>, layer::Maxout<(2 * R + 1) * C, C, Pieces>,
                                                        layer::LayerNorm<C>, layer::Dropout<C>>>>;

}  // namespace entrain::encode
