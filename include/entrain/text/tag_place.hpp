// [text] > batch > embed > encode > head > optim > checkpoint
//
// A token's tag and its line, for messages.
#pragma once
#include <cstddef>
#include <string>

#include "entrain/text/corpus.hpp"
#include "entrain/text/excerpt.hpp"

namespace entrain::text {

/// `'PER' at train.conll:812`
inline std::string tag_and_place(const Corpus& corpus, std::size_t token) {
  return "'" + excerpt(corpus.tag_name(token)) + "' at " + corpus.where(token);
}

}  // namespace entrain::text
