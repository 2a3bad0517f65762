// [text] > batch > embed > encode > head > optim > checkpoint
//
// Texts with labels as a corpus: the words of each text are one sentence, and its labels are the sentence's classes.
// Read texts.hpp and corpus.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/corpus/texts.hpp"
#include "entrain/text/corpus/token.hpp"
#include "entrain/text/split/splitter.hpp"

namespace entrain::text {

/// A function for batch::Mapped: Corpus of Texts. A text without a word is left out, counted in Met::wordless and
/// listed: it has nothing to learn from.
///
/// Words     splits a text: Whitespace where a tokenizer cuts words into pieces, as it splits at punctuation itself;
///           UnicodeWords where words are hashed
template <WordSplitter Words> class InWords {
 public:
  Corpus operator()(const Texts& texts) {
    Corpus corpus;
    corpus.name = texts.name;
    corpus.met = texts.met;
    corpus.problems = texts.problems;
    corpus.classes.names = texts.labels.names();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string_view text = texts.text(i);
      words_.clear();
      Words::split(text, words_);
      if (words_.empty()) {
        ++corpus.met.wordless;
        corpus.problems.push_back({texts.line[i], "a text without a word, left out"});
        continue;
      }
      corpus.start_document();
      corpus.push(text, std::span<const Token>(words_), -1, texts.line[i]);
      corpus.end_sentence(texts.labels_of(i));
    }
    return corpus;
  }

 private:
  std::vector<Token> words_;
};

/// All texts of files as one corpus. Source: Csv or LabelledJson.
template <WordSplitter Words, class Source> Corpus read_in_words(Source source) {
  InWords<Words> in_words;
  Corpus all;
  Texts texts;
  typename Source::Raw raw;
  source.start(0, {});
  auto work = source.work();
  while (source.read(raw)) {
    work(raw, texts);
    const Corpus block = in_words(texts);
    if (all.name.empty()) all.name = block.name;
    all.append(block);
  }
  return all;
}

}  // namespace entrain::text
