// text > batch > [embed] > encode > head > optim > checkpoint
//
// An embedding of pieces, trained on the tag of every piece. Read batch/every_piece.hpp first.
#pragma once
#include "entrain/batch/every_piece.hpp"
#include "entrain/core/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::embed {

/// The same function as Embed, and the same folder.
template <class Embed> struct LabelledByPiece {
  using Features = batch::EveryPiece<typename Embed::Features>;
  static constexpr int out = Embed::out;
  using Described = Embed;
  static void extents(auto& config) { Embed::extents(config); }
  static void each_table(const typename Features::View& pieces, auto&& f) { Embed::each_table(pieces, f); }

  template <class T> using Weights = typename Embed::template Weights<T>;
  template <Precision P, class D, Needs G> using On = typename Embed::template On<P, D, G>;
};

}  // namespace entrain::embed
