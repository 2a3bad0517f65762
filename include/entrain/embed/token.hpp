// text > batch > [embed] > encode > head > optim > checkpoint
//
// A table with a vector for each id, as Keras' Embedding and torch.nn.Embedding.
// In: the batch's ids. Out: vectors [N,C], a row an id. Read batch/encode/ids.hpp first.
#pragma once
#include "entrain/batch/encode/ids.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/hash_embed/contract.hpp"
#include "entrain/layer/nothing.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"

namespace entrain::embed {

/// y[n] = table[id[n]]
///
/// The gradient has the rows that a batch reads and no others, so a step costs what the batch touches;
/// optim::LazyUpdate does the same for the optimizer's pass.
///
/// shapes    table [V,C]; y [N,C]
/// saves     nothing
template <int V, int C> struct Token {
  using Features = batch::Ids<V>;
  static constexpr int out = C;

  template <class N> struct Weights {
    Table<N, V, C> table;
    static void each(auto&& f, auto& w) { f("weight", w.table, init::embedding); }
  };

  /// f(CsrIndex) for each table, in the order of the weights: the rows that a batch reads.
  static void each_table(const typename Features::View& ids, auto&& f) { f(ids.touched); }

  template <Precision P, class D, Needs G> struct Impl : layer::SavesNothing {
    static_assert(sizeof(kernel::HashEmbed<D>) > 0);  // a missing kernel is refused here
    using View = typename Features::View;

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, const View& ids,
                        Rows<typename P::Activation, C> y, Saved&) {
      kernel::hash_embed<1>(at.dev, w.table, ids.ids, 1, 0, y);
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>&, const Saved&, const View& ids,
                         Rows<const typename P::Gradient, C> dy, const Weights<typename P::Sum>& g) {
      if constexpr (G.params) kernel::hash_embed_back<1>(at, dy, 0, ids.touched, g.table);
    }
  };
};

}  // namespace entrain::embed
