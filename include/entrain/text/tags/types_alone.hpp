// [text] > batch > embed > encode > head > optim > checkpoint
//
// Tags that are types without a prefix, in a corpus that was read whole. For columns see ConllLayout::types_alone.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/text/conll/conll_cells.hpp"  // is_type_alone
#include "entrain/text/corpus/corpus.hpp"

namespace entrain::text {

/// If all tags are O or types alone, as PER, writes them as IO: I-PER. Returns whether it did. Tags that a reader made
/// from annotations have no influence, and stay.
inline bool read_types_alone(Corpus& corpus) {
  std::vector<char> own(corpus.tags.size(), corpus.annotated.empty());
  if (!corpus.annotated.empty())
    corpus.each_unannotated([&](std::size_t s) {
      for (std::size_t i = corpus.sentence[s]; i < corpus.sentence[s + 1]; ++i)
        if (corpus.tag[i] >= 0) own[static_cast<std::size_t>(corpus.tag[i])] = 1;
    });
  bool outside = false, types = false;
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (own[k] == 0) continue;
    const std::string& tag = corpus.tags[k];
    outside = outside || tag == "O";
    types = types || tag != "O";
    if (tag != "O" && !detail::is_type_alone(tag)) return false;
  }
  if (!outside || !types) return false;
  corpus.rename_tags([](const std::string& tag) { return detail::is_type_alone(tag) ? "I-" + tag : tag; });
  return true;
}

}  // namespace entrain::text
