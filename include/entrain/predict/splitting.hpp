// text > batch > embed > encode > head > optim > checkpoint > train > [predict]
//
// Raw text to sentences of words, by the splitters that a model was saved with. Their names become functions once, at
// load.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/sentences.hpp"
#include "entrain/text/splitter.hpp"

namespace entrain::predict {

class Splitting {
 public:
  /// The names as they stand in config.json; empty means Unicode's rules. `where`: the file or option that holds them.
  /// throws    entrain.predict.1 for a name that no splitter has
  Splitting(std::string_view words, std::string_view sentences, std::string_view where)
      : words_(find<Words, text::UnicodeWords, text::Whitespace>(words, "word", where)),
        sentences_(
            find<Sentences, text::UnicodeSentences, text::Lines, text::WholeText>(sentences, "sentence", where)) {}

  std::string_view word_splitter() const { return words_.name; }
  std::string_view sentence_splitter() const { return sentences_.name; }

  /// Appends the words of a text, and its sentences; these count the words from the first that was appended.
  void split(std::string_view text, std::vector<text::Token>& words, std::vector<text::Sentence>& sentences) const {
    const std::size_t first = words.size();
    words_.split(text, words);
    sentences_.split(text, std::span<const text::Token>(words).subspan(first), sentences);
  }

 private:
  struct Words {
    std::string_view name;
    void (*split)(std::string_view, std::vector<text::Token>&);
  };
  struct Sentences {
    std::string_view name;
    void (*split)(std::string_view, std::span<const text::Token>, std::vector<text::Sentence>&);
  };

  template <class Found, class Default, class... Others>
  static Found find(std::string_view name, std::string_view kind, std::string_view where) {
    if (name.empty()) return {Default::name, &Default::split};
    std::string known;
    for (const Found& f : {Found{Default::name, &Default::split}, Found{Others::name, &Others::split}...}) {
      if (f.name == name) return f;
      known.append(known.empty() ? "" : ", ").append(f.name);
    }
    throw Error("entrain.predict.1", where, std::string(kind) + " splitter '" + std::string(name) + "'",
                "one of " + known);
  }

  Words words_;
  Sentences sentences_;
};

}  // namespace entrain::predict
