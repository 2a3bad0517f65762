// text > batch > [task] > head > optim > checkpoint
//
// The tags of the pieces of a word, where the model learns one for every piece. Read batch/encode/label_all_tokens.hpp
// first.
#pragma once
#include <cstddef>
#include <vector>

#include "entrain/batch/encode/label_all_tokens.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::task {

/// For each label, the tags of the pieces of a word that has several: an entity that continues from piece to piece.
/// B-PER becomes B-PER I-PER ..., in BIOES S-PER becomes B-PER I-PER ... E-PER.
template <text::TagScheme S> std::vector<batch::PieceTargets> tags_in_pieces(const text::Labels<S>& labels) {
  std::vector<batch::PieceTargets> tags(static_cast<std::size_t>(labels.count()));
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

}  // namespace entrain::task
