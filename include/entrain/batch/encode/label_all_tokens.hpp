// text > [batch] > embed > encode > head > optim > checkpoint
//
// A policy of targets: the model learns a target for every piece of a word, not for its first piece alone. Predictions
// of words are still those of their first pieces. Read batch/encode/pieces.hpp first.
#pragma once
#include <cstdint>

namespace entrain::batch {

/// Features whose training batches have a row after the encoder for every piece of a word (label_all_tokens of Hugging
/// Face's example for token classification).
template <class Pieces> struct LabelAllTokens : Pieces {
  using Pieces::Pieces;
  static constexpr bool labels_every_piece = true;
};

template <class Features> inline constexpr bool labels_every_piece = requires { Features::labels_every_piece; };

/// The targets of the pieces of a word that has several, in the place of the word's target.
struct PieceTargets {
  std::int32_t first = 0, middle = 0, last = 0;
};

template <class Pieces> using EveryPiece [[deprecated("entrain: the name is LabelAllTokens")]] = LabelAllTokens<Pieces>;
using TagInPieces [[deprecated("entrain: the name is PieceTargets")]] = PieceTargets;

}  // namespace entrain::batch
