// text > batch > [task] > head > optim > checkpoint
//
// Gold of tagging: a corpus with the tags of a file.
#pragma once
#include <string>
#include <vector>

#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::task {

/// A tagged corpus and its scheme.
struct Tagged {
  text::Corpus corpus;
  text::SchemeId scheme = text::SchemeId::bio;
  std::vector<text::Mark> marks;   // one for each distinct tag string; types index `types`
  text::Types types;               // in order of first appearance
  std::vector<std::string> notes;  // for the user: how the file was read, and in which scheme
};

}  // namespace entrain::task
