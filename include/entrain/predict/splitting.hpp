// text > batch > embed > encode > head > optim > checkpoint > train > [predict]
//
// Splits raw text into sentences of words, with the splitters that a model was saved with. Their names are looked up
// once, when the model is loaded.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/corpus/token.hpp"
#include "entrain/text/split/named_splitters.hpp"

namespace entrain::predict {

using WordSplitter = text::NamedWordSplitter;
using SentenceSplitter = text::NamedSentenceSplitter;

/// The splitter of that name; an empty name means Unicode's rules. `where`: the file or option that holds the name.
///
/// throws    entrain.predict.1 for a name that no splitter has
ENTRAIN_INLINE WordSplitter word_splitter(std::string_view name, std::string_view where);
ENTRAIN_INLINE SentenceSplitter sentence_splitter(std::string_view name, std::string_view where);

class Splitting {
 public:
  Splitting(std::string_view words, std::string_view sentences, std::string_view where)
      : words_(predict::word_splitter(words, where)), sentences_(predict::sentence_splitter(sentences, where)) {}

  std::string_view word_splitter() const { return words_.name; }
  std::string_view sentence_splitter() const { return sentences_.name; }

  const WordSplitter& words() const { return words_; }
  const SentenceSplitter& sentences() const { return sentences_; }

  /// Appends the words of a text, and its sentences; the sentences count words from the first that this call appended.
  void split(std::string_view text, std::vector<text::Token>& words, std::vector<text::Sentence>& sentences) const {
    const std::size_t first = words.size();
    words_.split(text, words);
    split_sentences(text, std::span<const text::Token>(words).subspan(first), sentences);
  }
  void split_sentences(std::string_view text, std::span<const text::Token> words,
                       std::vector<text::Sentence>& sentences) const {
    sentences_.split(text, words, sentences);
  }

 private:
  WordSplitter words_;
  SentenceSplitter sentences_;
};

}  // namespace entrain::predict

#if !defined(ENTRAIN_COMPILED)
#include "entrain/predict/splitting.ipp"
#endif
