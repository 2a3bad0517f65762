// text > batch > [embed] > encode > head > optim > checkpoint
//
// An embedding of pieces whose tables are narrower than the blocks, as in ELECTRA-small: a matrix product makes its
// vectors as wide as the blocks. Read embed/bert.hpp first.
#pragma once
#include <string>

#include "entrain/core/contract.hpp"
#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/bias/contract.hpp"  // gemm_bias
#include "entrain/layer/linear.hpp"          // linear_back
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::embed {

/// y = weight embed(pieces) + bias
///
/// Embed     an embedding of pieces, as embed::Bert          W         the width of the blocks
/// shapes    embed(pieces) [N,Embed::out], weight [W,Embed::out], bias [W]; y [N,W]
/// requires  W >= 1
/// saves     embed(pieces), and what Embed saves
/// source    Clark et al. 2020, arXiv:2003.10555, appendix A; transformers' embeddings_project
template <class Embed, int W> struct Projected {
  static_assert(W >= 1, "entrain: embed::Projected<Embed, W> needs W >= 1, the width of the blocks.");
  using Family = typename Embed::Family;
  using Features = typename Embed::Features;
  static constexpr int out = W, in = Embed::out;
  static std::string describe() { return Embed::describe() + " to " + std::to_string(W); }
  static void extents(auto& config) { Embed::extents(config); }
  static void each_table(const typename Features::View& pieces, auto&& f) { Embed::each_table(pieces, f); }

  template <class N> struct Projection {
    MatmulWeight<N, W, in> weight;
    Weight<N, 1, W> bias;
    static void each(auto&& f, auto& w) {
      f("weight", w.weight, init::glorot_uniform);
      f("bias", w.bias, init::zeros);
    }
  };
  template <class N> struct Weights {
    typename Embed::template Weights<N> embed;
    Projection<N> project;
    static void each(auto&& f, auto& w) {
      Embed::template Weights<N>::each(f, w.embed);
      f.part("project", w.project);
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using Inner = entrain::Impl<Embed, P, D, Needs{G.params, false}>;
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Values = Weights<const typename P::Weight>;
    using View = typename Features::View;
    struct Saved {
      typename Inner::Saved embed;
      Rows<A, in> x;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {Inner::allocate_saved(arena, shape), take_rows<A, in>(arena, shape.rows)};
    }

    static void forward(const Step<D>& at, const Values& w, const View& pieces, Rows<A, W> y, Saved& saved) {
      saved.x.n = y.n;
      Inner::forward(at, w.embed, pieces, saved.x, saved.embed);
      kernel::gemm_bias(at.dev, Rows<const A, in>(saved.x), w.project.weight, w.project.bias, y);
    }
    static void backward(const Step<D>& step, const Values& w, const Saved& saved, const View& pieces,
                         Rows<const Grad, W> dy, const Weights<typename P::Sum>& g) {
      if constexpr (G.params) {
        const BackwardStep at(step);
        const auto dx = take_rows<Grad, in>(at.scratch, dy.n);
        layer::linear_back<Needs{true, true}>(at, dy, Rows<const A, in>(saved.x), w.project, dx, Write::assign,
                                              g.project);
        Inner::backward(step, w.embed, saved.embed, pieces, Rows<const Grad, in>(dx), g.embed);
      }
    }
  };
};

}  // namespace entrain::embed
