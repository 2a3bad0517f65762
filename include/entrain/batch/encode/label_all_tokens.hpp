// text > [batch] > embed > encode > head > optim > checkpoint
//
// A policy of targets: the model learns the tag of every piece of a word, not of its first piece alone. Words are still
// tagged by their first pieces. Read batch/encode/pieces.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::batch {

/// Features whose training batches have a row after the encoder for every piece of a word (label_all_tokens of Hugging
/// Face's example for token classification).
template <class Pieces> struct LabelAllTokens : Pieces {
  using Pieces::Pieces;
  static constexpr bool labels_every_piece = true;
};

template <class Features> inline constexpr bool labels_every_piece = requires { Features::labels_every_piece; };

/// The tags of the pieces of a word that has several: an entity that continues from piece to piece. B-PER becomes B-PER
/// I-PER ..., in BIOES S-PER becomes B-PER I-PER ... E-PER.
struct TagInPieces {
  std::int32_t first = 0, middle = 0, last = 0;
};

/// The piece tags of each label, for a word of several pieces.
template <text::TagScheme S> std::vector<TagInPieces> tags_in_pieces(const text::Labels<S>& labels) {
  std::vector<TagInPieces> tags(static_cast<std::size_t>(labels.count()));
  for (text::Tag tag = 1; tag < labels.count(); ++tag) {
    const auto type = text::tag_type<S>(tag);
    const int part = text::tag_part<S>(tag);
    if constexpr (S::parts == 4) {
      const bool opens = part == S::begin || part == S::single, closes = part == S::end || part == S::single;
      tags[static_cast<std::size_t>(tag)] = {text::make_tag<S>(type, opens ? S::begin : S::inside),
                                             text::make_tag<S>(type, S::inside),
                                             text::make_tag<S>(type, closes ? S::end : S::inside)};
    } else {
      const auto inside = text::make_tag<S>(type, S::part(false, false, false));
      tags[static_cast<std::size_t>(tag)] = {tag, inside, inside};
    }
  }
  return tags;
}

template <class Pieces> using EveryPiece [[deprecated("entrain: the name is LabelAllTokens")]] = LabelAllTokens<Pieces>;

}  // namespace entrain::batch
