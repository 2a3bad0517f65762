// [text] > batch > embed > encode > head > optim > checkpoint
//
// A token's tag and its line, and the first place of a type, for messages.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/tags/labels.hpp"

namespace entrain::text {

/// `'PER' at train.conll:812`
inline std::string tag_and_place(const Corpus& corpus, std::size_t token) {
  return "'" + excerpt(corpus.tag_name(token)) + "' at " + corpus.where(token);
}

/// `a.conll:3`, the first place of an entity's type; empty: there is none.
[[gnu::cold]] inline std::string place_of_type(const Corpus& corpus, std::string_view type) {
  std::vector<bool> of_type;  // [tag]
  for (const std::string& tag : corpus.tags) {
    Types types;
    const Mark mark = read_mark(tag, types);
    of_type.push_back(mark.type != Types::none && types.name(mark.type) == type);
  }
  for (std::size_t i = 0; i < corpus.size(); ++i)
    if (corpus.tag[i] >= 0 && of_type[static_cast<std::size_t>(corpus.tag[i])]) return corpus.where(i);
  return {};
}

}  // namespace entrain::text
