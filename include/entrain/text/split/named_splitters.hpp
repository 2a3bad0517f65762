// [text] > batch > embed > encode > head > optim > checkpoint
//
// Splitters that are known only at run time: a function and its name. Read splitter.hpp and sentences.hpp for the
// types.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "entrain/text/corpus/token.hpp"

namespace entrain::text {

/// The name is that of the splitter's type. It identifies the splitter in files, where an address cannot.
struct NamedWordSplitter {
  std::string_view name;
  void (*split)(std::string_view text, std::vector<Token>& words) = nullptr;
};
struct NamedSentenceSplitter {
  std::string_view name;
  void (*split)(std::string_view text, std::span<const Token> words, std::vector<Sentence>& sentences) = nullptr;
};

}  // namespace entrain::text
