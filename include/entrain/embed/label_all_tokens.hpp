// text > batch > [embed] > encode > head > optim > checkpoint
//
// An embedding of pieces, trained on a target for every piece. Read batch/encode/label_all_tokens.hpp first.
#pragma once
#include "entrain/batch/encode/label_all_tokens.hpp"
#include "entrain/core/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::embed {

/// y = embed(pieces), the same folder as Embed; only the targets differ: every piece has one
///
/// shapes    those of Embed; y [N,Embed::out]
/// saves     what Embed saves
template <class Embed> struct LabelAllTokens {
  using Features = batch::LabelAllTokens<typename Embed::Features>;
  static constexpr int out = Embed::out;
  using Described = Embed;
  static void extents(auto& config) { Embed::extents(config); }
  static void each_table(const typename Features::View& pieces, auto&& f) { Embed::each_table(pieces, f); }

  template <class T> using Weights = typename Embed::template Weights<T>;
  template <Precision P, class D, Needs G> using Impl = typename Embed::template Impl<P, D, G>;
};

template <class Embed> using LabelledByPiece [[deprecated("entrain: the name is LabelAllTokens")]] =
    LabelAllTokens<Embed>;

}  // namespace entrain::embed
