// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of read_gold.hpp.
#pragma once
#include <string>
#include <utility>

#include "entrain/app/input/class_splits.hpp"
#include "entrain/app/input/read_gold.hpp"
#include "entrain/app/input/whole_file.hpp"
#include "entrain/text/corpus/unlabelled.hpp"

namespace entrain::app {

ENTRAIN_INLINE task::Tagged read_tagged(const std::string& path) {
  text::ConllFile file = read_whole(path, {});
  refuse_wordless(file);
  text::refuse_unlabelled(file.corpus.name, file.corpus.met);
  file.corpus.problems = std::move(file.problems.list);
  return task::tagged(std::move(file.corpus), {});
}

ENTRAIN_INLINE text::Corpus read_classified(const std::string& path, bool by_words) {
  return read_texts_with_classes(path, {}, by_words);
}

}  // namespace entrain::app
