// text > [batch] > embed > encode > head > optim > checkpoint
//
// A policy of what is learned: the tag of every piece of a word, not of its first alone. Words are tagged by their
// first pieces all the same. Read batch/pieces.hpp first.
#pragma once
#include <cstdint>

namespace entrain::batch {

/// Features whose training batches have a row behind the encoder for every piece of a word (label_all_tokens of Hugging
/// Face's example for token classification).
template <class Pieces> struct EveryPiece : Pieces {
  using Pieces::Pieces;
  static constexpr bool labels_every_piece = true;
};

template <class Features> inline constexpr bool labels_every_piece = requires { Features::labels_every_piece; };

/// What the pieces of a word are tagged with, if it has several: as an entity that goes on from piece to piece. B-PER
/// becomes B-PER I-PER ..., in BIOES S-PER becomes B-PER I-PER ... E-PER.
struct TagInPieces {
  std::int32_t first = 0, middle = 0, last = 0;
};

}  // namespace entrain::batch
