// [text] > batch > embed > encode > head > optim > checkpoint
//
// Files with a record a line in which some, or all, records do not give their entities. Read corpus.hpp first.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/corpus.hpp"

namespace entrain::text {

/// Whether there are records, and none of them gives its entities or tags.
inline bool all_unlabelled(const Met& met) { return met.unlabelled > 0 && met.labelled == 0; }

/// Removes them from the list: a single sentence covers all, and they are listed only if other records are labelled.
inline void forget_unlabelled(std::vector<Problem>& listed, const Met& met) {
  if (all_unlabelled(met)) std::erase_if(listed, [](const Problem& p) { return p.of == Concern::unlabelled; });
}

/// For files to learn from, or to be scored.
///
/// throws    entrain.text.44: texts, none of which gives its entities
inline void refuse_unlabelled(const std::string& name, const Met& met) {
  if (!all_unlabelled(met)) return;
  throw Error("entrain.text.44", name,
              met.unlabelled == 1 ? "a text without an entity list"
                                  : std::to_string(met.unlabelled) + " texts without an entity list",
              "\"entities\", \"spans\", \"label\", \"labels\" or \"ner\" with each",
              "write an empty list for a text without entities");
}

}  // namespace entrain::text
