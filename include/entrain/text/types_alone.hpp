// [text] > batch > embed > encode > head > optim > checkpoint
//
// Tags that are types without a letter, in a corpus that was read whole. For columns ConllLayout::types_alone says it.
#pragma once
#include <string>
#include <string_view>

#include "entrain/text/conll_cells.hpp"  // is_type_alone
#include "entrain/text/corpus.hpp"

namespace entrain::text {

/// Where all tags are O or types alone, as PER, writes them as IO: I-PER. Gives whether it did.
inline bool read_types_alone(Corpus& corpus) {
  bool outside = false, types = false;
  for (const std::string& tag : corpus.tags) {
    outside = outside || tag == "O";
    types = types || tag != "O";
    if (tag != "O" && !detail::is_type_alone(tag)) return false;
  }
  if (!outside || !types) return false;
  corpus.rename_tags([](const std::string& tag) { return tag == "O" ? tag : "I-" + tag; });
  return true;
}

}  // namespace entrain::text
